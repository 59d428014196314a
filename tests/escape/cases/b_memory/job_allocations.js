// ends: value 300000 | error InternalError /out of memory/
// limits: timeout_ms=20000
await null;
const a = [];
for (let i = 0; i < 300000; i++) a.push({ i });
return a.length;
