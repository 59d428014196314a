// ends: value {}
// limits: timeout_ms=20000
return new Proxy(new Map([[1, 2]]), {});
