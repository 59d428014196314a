// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=1500
// rss: 160
new URLSearchParams({ *[Symbol.iterator]() { for (;;) yield ['a', 'b']; } });
