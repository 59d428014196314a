// ends: value "RangeError"
// limits: timeout_ms=20000
try { return 'a'.repeat(2 ** 30).length; } catch (e) { return e.name; }
