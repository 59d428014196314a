// ends: repr [1, UNDEFINED, UNDEFINED]
// limits: timeout_ms=20000
const r = [1, 2, 3];
Object.defineProperty(r, 0, { get() { r.length = 0; return 1; } });
return r;
