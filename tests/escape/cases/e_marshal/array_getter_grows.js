// ends: value [1]
// limits: timeout_ms=20000
const r = [0];
Object.defineProperty(r, 0, { get() { if (r.length < 1e5) r.push(r.length); return 1; } });
return r;
