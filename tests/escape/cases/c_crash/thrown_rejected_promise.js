// ends: error - /^\[object Promise\]/
// limits: timeout_ms=20000
throw Promise.reject(1);
