// ends: error InternalError /out of memory/ | error RangeError /pending/
// limits: timeout_ms=20000
// rss: 160
const a = [];
for (let i = 0; i < 1e6; i++) a.push(sleep(5000));
await Promise.all(a);
