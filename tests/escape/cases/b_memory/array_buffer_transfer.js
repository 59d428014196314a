// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
let b = new ArrayBuffer(1);
for (let n = 1; ; n *= 2) b = b.transfer(n);
