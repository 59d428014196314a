// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
const a = [];
for (let i = 0; ; i++) a.push(new RegExp('a'.repeat(1000) + i));
