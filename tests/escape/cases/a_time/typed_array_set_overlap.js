// ends: timeout
// limits: timeout_ms=200
const u = new Uint16Array(1e7);
const v = new Float64Array(u.buffer, 0, 1e6);
for (;;) u.set(v, 3);
