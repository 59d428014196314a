// ends: value ["TypeError", true]
// limits: timeout_ms=20000
try { toBase64(5); } catch (e) { return [e.name, e instanceof TypeError]; }
