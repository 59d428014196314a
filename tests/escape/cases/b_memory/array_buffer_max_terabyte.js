// ends: value "RangeError"
// limits: timeout_ms=20000
try { return new ArrayBuffer(8, { maxByteLength: 2 ** 40 }).maxByteLength; } catch (e) { return e.name; }
