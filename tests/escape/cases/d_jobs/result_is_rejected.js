// ends: error TypeError /^no/
// limits: timeout_ms=20000
return Promise.reject(new TypeError('no'));
