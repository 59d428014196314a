// ends: value "InternalError: out of memory"
// limits: timeout_ms=20000
let a = [];
try { for (;;) a.push({ a: 1, b: [2] }); } catch (e) { a = null; return e === null ? 'null' : `${e.name}: ${e.message}`; }
