// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
let a = [1];
for (;;) a = a.concat(a);
