// ends: timeout
// limits: timeout_ms=200
const u = new Uint8Array(4e7);
for (;;) u.indexOf(1);
