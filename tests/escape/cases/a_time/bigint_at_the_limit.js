// ends: value | timeout
// limits: timeout_ms=250
const a = (1n << 1040000n) - 1n;
return [a.toString().length, (a / ((1n << 520000n) - 12345n)).toString(16).length, (3n ** 650000n) % 7n].join();
