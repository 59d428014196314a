// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
// rss: 160
const m = new Map();
for (let i = 0; ; i++) m.set(i, i);
