// ends: value "RangeError"
// limits: timeout_ms=20000
try { return new Uint8Array(2 ** 32).length; } catch (e) { return e.name; }
