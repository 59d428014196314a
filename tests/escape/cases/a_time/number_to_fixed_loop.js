// ends: timeout
// limits: timeout_ms=200
let n = 0;
for (;;) n += (1e20).toFixed(100).length;
