// ends: value "TypeError"
// limits: timeout_ms=20000
function f() { 'use strict'; try { return typeof arguments.callee; } catch (e) { return e.name; } }
return f();
