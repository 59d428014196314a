// ends: timeout
// limits: timeout_ms=250
// globals: {"state": {"a": 1}}
globalThis.state = new Proxy({}, { ownKeys() { while (1); } });
return 1;
