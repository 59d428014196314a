// ends: timeout
// limits: timeout_ms=200
let n = 0;
for (;;) n += Math.random();
