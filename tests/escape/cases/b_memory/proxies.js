// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
let p = {};
for (;;) p = new Proxy(p, {});
