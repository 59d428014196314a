// ends: value 200 | timeout
// limits: timeout_ms=1000
let n = 0;
const f = () => { f(); };
for (let i = 0; i < 200; i++) { try { f(); } catch { n++; } }
return n;
