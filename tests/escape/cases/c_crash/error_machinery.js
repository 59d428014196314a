// ends: timeout
// limits: timeout_ms=250
Error.prepareStackTrace = () => { while (1); };
Error.stackTraceLimit = 1e9;
Object.defineProperty(Error.prototype, 'name', { get() { throw 1; } });
Object.defineProperty(Error.prototype, 'stack', { get() { while (1); } });
null.x;
