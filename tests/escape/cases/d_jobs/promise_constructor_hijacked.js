// ends: timeout
// limits: timeout_ms=250
Object.defineProperty(Promise.prototype, 'constructor', { get() { while (1); } });
await sleep(1);
return 1;
