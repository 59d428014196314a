// ends: error - /^Symbol\(s\)/
// limits: timeout_ms=20000
throw Symbol('s');
