// ends: error Error /^after/
// limits: timeout_ms=20000
// globals: {"state": {"a": 1}}
state.b = 2;
throw new Error("after");
