// ends: timeout
// limits: timeout_ms=1000
// rss: 64
let n = 0;
for (;;) { crypto.randomUUID(); n++; }
