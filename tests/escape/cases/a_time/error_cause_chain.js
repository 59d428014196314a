// ends: error Error | timeout | error InternalError /out of memory/
// limits: timeout_ms=250
let e = new Error('0');
for (let i = 0; i < 1e5; i++) e = new Error(String(i), { cause: e });
throw e;
