// ends: timeout
// limits: timeout_ms=200
let a = [];
for (let i = 0; i < 60; i++) a = [a, a];
for (;;) { try { JSON.stringify(a); } catch { } }
