// ends: value 51 | timeout
// limits: timeout_ms=1000
let n = 0;
for (;;) { try { let s = 'ab'; for (;;) s += s; } catch (e) { n++; if (n > 50) return n; } }
