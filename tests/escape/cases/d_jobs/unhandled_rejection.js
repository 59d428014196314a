// ends: value 1
// limits: timeout_ms=20000
Promise.reject(new Error('lost'));
return 1;
