// ends: value 1 | timeout | error InternalError /out of memory/
// limits: timeout_ms=1000
for (let i = 0; i < 1e5; i++) import('x' + i).catch(() => {});
return 1;
