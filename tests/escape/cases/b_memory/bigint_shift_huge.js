// ends: value "RangeError"
// limits: timeout_ms=20000
try { return (1n << 2000000000n) > 0n; } catch (e) { return e.name; }
