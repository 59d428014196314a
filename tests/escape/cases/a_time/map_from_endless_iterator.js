// ends: timeout
// limits: timeout_ms=200
return new Map({ [Symbol.iterator]: () => ({ next: () => ({ value: [1, 1], done: false }) }) }).size;
