// ends: value "RangeError"
// limits: timeout_ms=20000
try { return new DataView(new ArrayBuffer(8), 4, 2 ** 31).byteLength; } catch (e) { return e.name; }
