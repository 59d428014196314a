// ends: value 1
// limits: timeout_ms=20000
// globals: {"state": {"a": 1}}
state.__proto__ = { x: 1 };
state.self = state;
return 1;
