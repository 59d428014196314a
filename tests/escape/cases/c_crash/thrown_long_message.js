// ends: error Error /^x{100}/
// limits: timeout_ms=20000
throw new Error('x'.repeat(5e6));
