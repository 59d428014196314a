// ends: value [1, 2, 3]
// limits: timeout_ms=20000
return new Proxy([1, 2, 3], {});
