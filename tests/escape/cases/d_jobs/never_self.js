// ends: deadlock
// limits: timeout_ms=20000
let r;
const p = new Promise((ok) => { r = ok; });
r(p.then(() => p));
await p;
