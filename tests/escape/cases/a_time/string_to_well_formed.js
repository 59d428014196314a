// ends: timeout
// limits: timeout_ms=200
const s = "\ud800".repeat(2e6);
for (;;) s.toWellFormed();
