// ends: value 2
// limits: timeout_ms=20000
let a = [];
for (let i = 0; i < 60; i++) a = [a, a];
return structuredClone(a).length;
