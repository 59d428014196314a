// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
// rss: 160
const a = [];
for (;;) a.push({ a: 1, b: [2] });
