// ends: timeout
// limits: timeout_ms=200
const s = "\u1234".repeat(1e6);
for (;;) escape(s);
