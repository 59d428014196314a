// ends: error Error
// limits: timeout_ms=20000
Object.defineProperty(Error.prototype, 'message', { get() { throw new Error('again'); } });
throw Object.create(Error.prototype);
