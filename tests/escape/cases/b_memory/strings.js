// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
// rss: 160
const a = [];
for (;;) a.push('x'.repeat(1 << 20) + a.length);
