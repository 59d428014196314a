// ends: timeout
// limits: timeout_ms=250
return new Set({ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) }).size;
