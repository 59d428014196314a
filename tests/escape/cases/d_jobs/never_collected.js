// ends: deadlock
// limits: timeout_ms=20000
let p = new Promise(() => {});
const q = p.then(() => 1);
p = null;
await q;
