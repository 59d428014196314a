// ends: error ExecutionTimeout /^the sandbox runtime ended this run/
// limits: timeout_ms=20000
throw Object.assign(new Error('the sandbox runtime ended this run'), { name: 'ExecutionTimeout' });
