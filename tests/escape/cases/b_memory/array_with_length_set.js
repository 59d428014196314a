// ends: value "RangeError"
// limits: timeout_ms=20000
const a = [];
a.length = 2 ** 32 - 1;
try { a.push(1); return 'pushed'; } catch (e) { return e.name; }
