// ends: error RangeError /BigInt/ | error InternalError /out of memory/
// limits: timeout_ms=20000
// rss: 160
const a = [];
for (let n = 1n; ;) a.push(n <<= 65536n);
