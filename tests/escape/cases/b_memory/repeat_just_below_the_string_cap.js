// ends: value "InternalError"
// limits: timeout_ms=20000
// rss: 160
try { return 'a'.repeat(2 ** 30 - 2).length; } catch (e) { return e.name; }
