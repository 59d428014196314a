// ends: value 1
// limits: timeout_ms=20000
// globals: {"state": {"a": 1}}
state.f = () => 1;
state.s = Symbol("s");
state.u = undefined;
return 1;
