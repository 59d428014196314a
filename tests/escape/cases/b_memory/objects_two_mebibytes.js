// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000 memory_limit_bytes=2097152
const a = [];
for (let i = 0; i < 200000; i++) a.push({ a: 1, b: [2] });
return a.length;
