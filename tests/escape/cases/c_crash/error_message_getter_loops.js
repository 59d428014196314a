// ends: error TypeError /^cannot read property 'x' of null/
// limits: timeout_ms=20000
Object.defineProperty(TypeError.prototype, 'message', { get() { while (1); } });
null.x;
