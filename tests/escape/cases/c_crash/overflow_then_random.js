// ends: value "number"
// limits: timeout_ms=20000
function deep() { try { return deep(); } catch { return typeof Math.random(); } }
return deep();
