// ends: value "RangeError"
// limits: timeout_ms=20000
try { return String.fromCharCode.apply(null, new Uint8Array(1e7)).length; } catch (e) { return e.name; }
