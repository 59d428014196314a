// ends: timeout
// limits: timeout_ms=250
let n = 0;
return { get a() { n++; while (n > 1); return n; }, get b() { return this.a; } };
