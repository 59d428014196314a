// ends: error InternalError /out of memory/
// limits: timeout_ms=20000
const m = new WeakMap(), keep = [];
for (;;) { const k = {}; keep.push(k); m.set(k, new Uint8Array(1000)); }
