// ends: value [{}, {}, {}, {}, {}]
// limits: timeout_ms=20000
return [new WeakMap(), new WeakSet(), new WeakRef({}), (function* () { })(), Promise.resolve(1)];
