// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
return Array(1e6).fill('x'.repeat(1000)).join('').length;
