// ends: timeout
// limits: timeout_ms=200
Math.random = Date.now = () => { throw 1; };
globalThis.Promise = undefined;
globalThis.Error = undefined;
while (1);
