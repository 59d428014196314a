// ends: timeout
// limits: timeout_ms=1000
// rss: 64
for (;;) crypto.getRandomValues(65536);
