// ends: value {"a": 1, "b": 2}
// limits: timeout_ms=20000
let n = 0;
return { get a() { n++; while (n > 1); return n; }, get b() { return 2; } };
