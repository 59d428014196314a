// ends: timeout | error RangeError /host call limit/
// limits: timeout_ms=2000
// rss: 64
for (;;) new URL('http://a/b?c');
