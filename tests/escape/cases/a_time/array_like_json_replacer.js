// ends: timeout
// limits: timeout_ms=200
return JSON.stringify({ a: 1 }, new Proxy([], { get: (t, k) => (k === 'length' ? 2 ** 53 - 1 : undefined) }));
