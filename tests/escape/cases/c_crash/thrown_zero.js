// ends: error - /^0/
// limits: timeout_ms=20000
throw 0;
