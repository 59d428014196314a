// ends: value 1
// limits: timeout_ms=20000
function deep() { try { return deep(); } catch { return structuredClone([1]).length; } }
return deep();
