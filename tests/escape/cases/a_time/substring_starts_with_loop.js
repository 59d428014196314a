// ends: timeout
// limits: timeout_ms=200
const h = "a".repeat(2e6);
for (;;) h.startsWith(h);
