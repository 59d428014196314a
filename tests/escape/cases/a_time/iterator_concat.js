// ends: timeout
// limits: timeout_ms=200
return Iterator.from([1]).flatMap(() => ({ next: () => ({ done: false, value: 1 }), [Symbol.iterator]() { return this; } })).drop(1e15).next().value;
