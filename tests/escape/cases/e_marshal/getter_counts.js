// ends: value {"a": 1}
// limits: timeout_ms=20000
let n = 0;
globalThis.n = () => n;
return { get a() { return ++n; } };
