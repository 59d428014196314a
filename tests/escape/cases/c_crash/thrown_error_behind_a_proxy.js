// ends: error - /^a value that cannot be read was thrown/
// limits: timeout_ms=20000
throw new Proxy(new Error('p'), { get() { throw 3; } });
