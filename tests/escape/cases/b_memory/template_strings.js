// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
let s = 'x';
for (;;) s = `${s}${s}${s}`;
