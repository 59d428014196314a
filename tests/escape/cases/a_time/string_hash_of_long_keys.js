// ends: timeout
// limits: timeout_ms=250
const o = {};
for (let i = 0; ; i++) o["x".repeat(1e6) + (i & 1)] = 1;
