// ends: timeout
// limits: timeout_ms=200
Object.defineProperty(Error.prototype, 'name', { get() { while (1); } });
throw new Error('x');
