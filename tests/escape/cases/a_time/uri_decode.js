// ends: timeout
// limits: timeout_ms=200
const s = "%F0%9F%98%80".repeat(2e5);
for (;;) decodeURIComponent(s);
