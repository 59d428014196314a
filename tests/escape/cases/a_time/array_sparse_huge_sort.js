// ends: timeout
// limits: timeout_ms=200
const a = []; a[2 ** 32 - 2] = 1;
return a.sort().length;
