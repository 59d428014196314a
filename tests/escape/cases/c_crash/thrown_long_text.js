// ends: error - /^x{100}/
// limits: timeout_ms=20000
throw 'x'.repeat(5e6);
