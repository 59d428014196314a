// ends: value 1
// limits: timeout_ms=20000
// globals: {"state": {"a": 1}}
Object.defineProperty(globalThis, "state", { get() { while (1); } });
return 1;
