// ends: value 1
// limits: timeout_ms=20000
// globals: {"state": {"a": 1}}
Object.freeze(state);
state = null;
return 1;
