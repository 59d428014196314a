// ends: value 8
// limits: timeout_ms=20000
function deep() { try { return deep(); } catch { return toBase64('hello').length; } }
return deep();
