// ends: error TypeError /^cannot read property 'x' of null/
// limits: timeout_ms=20000
Object.setPrototypeOf(TypeError.prototype, new Proxy({}, { get() { while (1); }, getPrototypeOf() { while (1); } }));
null.x;
