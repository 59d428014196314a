// ends: timeout
// limits: timeout_ms=300
// rss: 64
for (;;) console.log('x'.repeat(1000));
