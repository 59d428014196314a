// ends: value "InternalError" | timeout
// limits: timeout_ms=250
// rss: 160
try { return [].concat(...Array(1000).fill(Array(65535).fill(0))).length; } catch (e) { return e.name; }
