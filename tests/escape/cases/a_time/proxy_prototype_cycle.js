// ends: timeout
// limits: timeout_ms=200
const p = new Proxy({}, { getPrototypeOf: () => p });
return p instanceof Map;
