// ends: cancelled
// limits: timeout_ms=20000
// cancel: 20
const a = [];
for (;;) { try { for (;;) a.push(new Uint8Array(1000)); } catch { a.length = 0; } }
