// ends: value "TypeError"
// limits: timeout_ms=20000
function f() { try { return [typeof f.caller, typeof f.arguments]; } catch (e) { return e.name; } }
return f();
