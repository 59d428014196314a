// ends: value "InternalError" | timeout
// limits: timeout_ms=250
try { return (new Array(1e9) + '').length; } catch (e) { return e.name; }
