// ends: timeout
// limits: timeout_ms=200
const u = new Float64Array(5e6);
for (;;) u.reverse();
