// ends: timeout
// limits: timeout_ms=1000
const big = 'x'.repeat(3e7);
for (;;) await crypto.digest('SHA-256', big);
