// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
return await Promise.resolve().then(() => { const a = []; for (;;) a.push([a.length]); });
