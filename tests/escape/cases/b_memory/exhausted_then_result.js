// ends: error InternalError /out of memory/ | value /^x+$/
// limits: timeout_ms=20000
globalThis.keep = [];
try { for (;;) keep.push([1]); } catch { }
return 'x'.repeat(1e5);
