// ends: value "RangeError"
// limits: timeout_ms=20000
try { const b = new SharedArrayBuffer(8, { maxByteLength: 2 ** 31 }); b.grow(2 ** 30); return b.byteLength; } catch (e) { return e.name; }
