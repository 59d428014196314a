// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
const keep = [];
try { for (;;) keep.push([1]); } finally { for (;;) keep.push('x'.repeat(100)); }
