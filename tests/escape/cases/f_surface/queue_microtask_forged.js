// ends: value "TypeError"
// limits: timeout_ms=20000
try { queueMicrotask(5); } catch (e) { return e.name; }
