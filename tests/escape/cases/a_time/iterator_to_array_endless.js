// ends: timeout
// limits: timeout_ms=250
return Iterator.from({ next: () => ({ value: 1, done: false }) }).drop(Infinity).toArray().length;
