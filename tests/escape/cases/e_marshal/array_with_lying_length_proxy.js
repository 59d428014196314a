// ends: value /\[truncated\]$/ | error RangeError
// limits: timeout_ms=20000
return new Proxy([], { get: (t, k) => (k === 'length' ? 2 ** 32 - 1 : t[k]) });
