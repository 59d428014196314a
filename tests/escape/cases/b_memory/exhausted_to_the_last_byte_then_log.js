// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
globalThis.keep = [];
for (let size = 1 << 20; size >= 8; size >>= 1) { try { for (;;) keep.push(new Uint8Array(size)); } catch { } }
console.log('full', 1, { a: 1 });
return 1;
