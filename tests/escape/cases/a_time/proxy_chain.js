// ends: timeout
// limits: timeout_ms=200
let p = {};
for (let i = 0; i < 2000; i++) p = new Proxy(p, {});
for (;;) p.x;
