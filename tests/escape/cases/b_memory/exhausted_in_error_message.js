// ends: error InternalError /out of memory/ | error Error /^x+/
// limits: timeout_ms=20000
const keep = [];
try { for (;;) keep.push([1]); } catch { throw new Error('x'.repeat(1e6)); }
