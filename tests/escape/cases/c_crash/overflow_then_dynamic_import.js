// ends: value "Error"
// limits: timeout_ms=20000
function deep() { try { return deep(); } catch { return import('x').catch((e) => e.name); } }
return await deep();
