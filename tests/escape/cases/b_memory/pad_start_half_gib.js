// ends: value "InternalError"
// limits: timeout_ms=20000
// rss: 160
try { return 'a'.padStart(2 ** 29, 'ab').length; } catch (e) { return e.name; }
