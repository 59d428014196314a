// ends: value "RangeError"
// limits: timeout_ms=20000
try { return (1n << (1n << 62n)).toString().length; } catch (e) { return e.name; }
