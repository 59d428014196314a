// ends: value "InternalError" | timeout
// limits: timeout_ms=250
try { return Array.from({ length: 1e9 }).length; } catch (e) { return e.name; }
