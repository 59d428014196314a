// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
const a = [];
for (;;) a.push(new Error('x'.repeat(100)));
