// ends: timeout
// limits: timeout_ms=200
let n = 0;
const a = (1n << 1000000n) - 1n;
for (;;) n += Number(BigInt.asIntN(999999, a) & 1n);
