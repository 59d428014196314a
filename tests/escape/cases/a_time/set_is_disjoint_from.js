// ends: timeout
// limits: timeout_ms=200
return new Set([2]).isDisjointFrom({ size: 0, has: () => false, keys: () => ({ next: () => ({ value: 1, done: false }) }) });
