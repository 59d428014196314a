// ends: value "ReferenceError"
// limits: timeout_ms=20000
try { return Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 60000); } catch (e) { return e.name; }
