// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=1500
// rss: 160
const p = new URLSearchParams('a=1');
for (const [name] of p) p.append(name, 'x'.repeat(1000));
