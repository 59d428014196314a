// ends: value 10000
// limits: timeout_ms=20000
let n = 0;
for (let i = 0; i < 1e4; i++) await import('x' + i).catch(() => n++);
return n;
