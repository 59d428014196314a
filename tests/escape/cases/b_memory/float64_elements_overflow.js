// ends: value "RangeError"
// limits: timeout_ms=20000
try { return new Float64Array(2 ** 29).length; } catch (e) { return e.name; }
