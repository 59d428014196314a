// ends: timeout
// limits: timeout_ms=200
const s = 'x'.repeat(1e7);
for (;;) new TextEncoder().encode(s);
