// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=250
return JSON.stringify(new Proxy([], { get: (t, k) => (k === 'length' ? 2 ** 32 - 1 : undefined) })).length;
