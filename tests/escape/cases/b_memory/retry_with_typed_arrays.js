// ends: value 21 | timeout
// limits: timeout_ms=1000
let n = 0;
for (;;) { try { const a = []; for (;;) a.push(new Uint8Array(1 << 16)); } catch (e) { n++; if (n > 20) return n; } }
