// ends: value "RangeError"
// limits: timeout_ms=20000
try { return new SharedArrayBuffer(2 ** 31).byteLength; } catch (e) { return e.name; }
