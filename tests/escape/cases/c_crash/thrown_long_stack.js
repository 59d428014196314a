// ends: error Error /^c/
// limits: timeout_ms=20000
throw Object.assign(new Error('c'), { stack: 'user-code\n'.repeat(1e6) });
