// ends: error InternalError /out of memory/
// limits: timeout_ms=20000
// rss: 160
let s = 'ab';
for (;;) s += s;
