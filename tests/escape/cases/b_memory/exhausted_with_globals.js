// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
// globals: {"state": {"a": [1, 2, 3]}}
globalThis.keep = [];
state.b = 'x'.repeat(10000);
for (let size = 1 << 20; size >= 8; size >>= 1) { try { for (;;) keep.push(new Uint8Array(size)); } catch { } }
return 1;
