// ends: timeout
// limits: timeout_ms=200
let n = 0;
for (;;) n += (Number.MAX_VALUE).toString(3).length + (5e-324).toString(2).length;
