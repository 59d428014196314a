// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=250
const a = []; a[2 ** 32 - 2] = 1;
return a.join().length;
