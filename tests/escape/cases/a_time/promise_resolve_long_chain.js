// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=250
let p = Promise.resolve();
for (let i = 0; ; i++) p = p.then(() => i);
