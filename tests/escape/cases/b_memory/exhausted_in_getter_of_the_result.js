// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
return { get a() { const k = []; for (;;) k.push([1]); } };
