// ends: value "ReferenceError"
// limits: timeout_ms=20000
try { return typeof Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 60000); } catch (e) { return e.name; }
