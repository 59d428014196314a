// ends: value 20000
// limits: timeout_ms=20000
let n = 0;
await Promise.all(Array.from({ length: 20000 }, async () => { await null; n++; }));
return n;
