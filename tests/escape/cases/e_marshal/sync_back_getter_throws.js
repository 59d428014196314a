// ends: value 1
// limits: timeout_ms=20000
// globals: {"state": {"a": 1}}
Object.defineProperty(state, "bad", { get() { throw new Error("no"); }, enumerable: true });
state.b = 2;
return 1;
