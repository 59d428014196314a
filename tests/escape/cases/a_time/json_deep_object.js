// ends: value "RangeError" | timeout
// limits: timeout_ms=250 memory_limit_bytes=536870912
let o = {};
for (let i = 0; i < 1e5; i++) o = { o };
try { return JSON.stringify(o).length; } catch (e) { return e.name; }
