// ends: timeout
// limits: timeout_ms=200
const a = "x".repeat(1e7) + "a", b = "x".repeat(1e7) + "b";
let n = 0;
for (;;) n += a < b;
