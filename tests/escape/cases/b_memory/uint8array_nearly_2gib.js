// ends: value "InternalError"
// limits: timeout_ms=20000
try { return new Uint8Array(2 ** 31 - 1).length; } catch (e) { return e.name; }
