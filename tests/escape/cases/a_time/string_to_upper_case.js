// ends: timeout
// limits: timeout_ms=200
const s = "\u0390".repeat(2e6);
for (;;) s.toUpperCase();
