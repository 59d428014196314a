// ends: timeout
// limits: timeout_ms=200
return await import('x', new Proxy({}, { get() { while (1); } })).catch((e) => e.name);
