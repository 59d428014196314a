// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
for (;;) Promise.resolve().then(() => {});
