// ends: timeout
// limits: timeout_ms=200
const r = new RegExp('/'.repeat(1e5));
for (;;) String(r);
