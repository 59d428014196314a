// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=250
let a = ['ab'];
for (let i = 0; i < 60; i++) a = [a, a];
return a.join().length;
