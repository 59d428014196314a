// ends: error Error / lone$/
// limits: timeout_ms=20000
throw new Error('\ud800 lone');
