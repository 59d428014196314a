// ends: timeout
// limits: timeout_ms=200
return Iterator.from({ next: () => ({ value: 1, done: false }) }).filter(() => false).next().value;
