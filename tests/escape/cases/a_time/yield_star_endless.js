// ends: timeout
// limits: timeout_ms=200
const inner = { [Symbol.iterator]: () => ({ next: () => ({ done: false }), return: () => { for (;;); } }) };
for (const x of (function* () { yield* inner; })()) break;
return 1;
