// ends: timeout
// limits: timeout_ms=200
const s = " ".repeat(1e7) + "a" + " ".repeat(1e7);
for (;;) s.trim();
