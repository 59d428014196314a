// ends: timeout
// limits: timeout_ms=200
const p = new Proxy({}, { getPrototypeOf: () => p, ownKeys: () => [] });
for (const k in p) return k;
return 'none';
