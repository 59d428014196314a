// ends: value true
// limits: timeout_ms=20000
return await import('m'.repeat(1e6)).then(() => 'loaded', (e) => e.message.length < 2000);
