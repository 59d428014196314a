// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
// rss: 160
for (let f = () => 1; ;) f = f.bind(null);
