// ends: value
// limits: timeout_ms=20000
let n = 0;
function deep() { try { return deep(); } catch { console.log('x'); n++; return n; } }
return deep();
