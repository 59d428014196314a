// ends: timeout
// limits: timeout_ms=250
Object.defineProperty(Promise, Symbol.species, { get() { while (1); } });
await sleep(1).then(() => 1);
return 1;
