// ends: value "TypeError"
// limits: timeout_ms=20000
try { return typeof (() => { }).constructor`return this`(); } catch (e) { return e.name; }
