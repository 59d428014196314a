// ends: value "InternalError" | timeout
// limits: timeout_ms=250
// rss: 160
try { return Array(2 ** 32 - 1).fill(0).length; } catch (e) { return e.name; }
