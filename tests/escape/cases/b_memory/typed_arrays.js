// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
// rss: 160
const a = [];
for (;;) a.push(new Uint8Array(1 << 20));
