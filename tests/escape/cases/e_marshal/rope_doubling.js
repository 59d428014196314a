// ends: value /^x{100000}\n\.\.\.\[truncated\]$/ | error InternalError /out of memory/
// limits: timeout_ms=20000
// rss: 160
let t = 'x'.repeat(1e5);
for (let i = 0; i < 13; i++) t = t + t;
return t;
