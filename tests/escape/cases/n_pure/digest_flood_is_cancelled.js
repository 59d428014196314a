// ends: cancelled
// limits: timeout_ms=30000
// cancel: 200
const big = new Uint8Array(2e7);
for (;;) await crypto.digest('SHA-512', big);
