// ends: error - /^1/
// limits: timeout_ms=20000
throw 1n;
