// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
let a = 'x'.repeat(1 << 20);
for (;;) a = JSON.stringify(a + a);
