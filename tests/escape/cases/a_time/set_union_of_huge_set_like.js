// ends: timeout
// limits: timeout_ms=200
return new Set([1]).union({ size: Infinity, has: () => true, keys: () => ({ next: () => ({ value: 1, done: false }) }) }).size;
