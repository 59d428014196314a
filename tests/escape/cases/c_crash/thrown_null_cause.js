// ends: error Error /^cause/
// limits: timeout_ms=20000
throw new Error('cause', { cause: null });
