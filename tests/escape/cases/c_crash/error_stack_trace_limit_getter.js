// ends: error TypeError /^cannot read property 'x' of null/
// limits: timeout_ms=20000
Object.defineProperty(Error, 'stackTraceLimit', { get() { while (1); } });
null.x;
