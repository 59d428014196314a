// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
let b = new Uint8Array(1000);
for (;;) b = new TextEncoder().encode(toBase64(b));
