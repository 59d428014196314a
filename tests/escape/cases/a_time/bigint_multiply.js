// ends: error RangeError /BigInt/
// limits: timeout_ms=20000
let a = (1n << 1000000n) - 1n;
for (;;) a * a;
