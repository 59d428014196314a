// ends: value {"self": "[Circular]"}
// limits: timeout_ms=20000
const a = {};
a.self = a;
return a;
