// ends: value "RangeError"
// limits: timeout_ms=20000
try { return new Uint8Array(-1).length; } catch (e) { return e.name; }
