// ends: value true
// limits: timeout_ms=20000
// globals: {"state": {"a": 1}}
return delete globalThis.state;
