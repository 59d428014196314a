// ends: value 313072 | timeout
// limits: timeout_ms=250
const a = (1n << 1040000n) - 1n;
return a.toString().length;
