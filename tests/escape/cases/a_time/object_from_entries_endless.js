// ends: timeout
// limits: timeout_ms=250
return Object.fromEntries({ [Symbol.iterator]: () => ({ next: () => ({ value: ['a', 1], done: false }) }) });
