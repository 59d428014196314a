// ends: value [1, "[Circular]"]
// limits: timeout_ms=20000
const a = [1];
a.push(a);
return a;
