// ends: value "SyntaxError"
// limits: timeout_ms=20000
try { return new RegExp('(a)'.repeat(300)).test('a'); } catch (e) { return e.name; }
