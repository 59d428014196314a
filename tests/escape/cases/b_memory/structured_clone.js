// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
let a = [new Uint8Array(1000)];
for (;;) a = [a, structuredClone(a)];
