// ends: value 51 | timeout
// limits: timeout_ms=500
let n = 0;
for (;;) { try { const a = []; for (;;) a.push(new Array(1000)); } catch (e) { n++; if (n > 50) return n; } }
