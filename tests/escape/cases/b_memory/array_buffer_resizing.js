// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
const b = new ArrayBuffer(0, { maxByteLength: 2 ** 30 });
for (let n = 1; ; n *= 2) b.resize(n);
