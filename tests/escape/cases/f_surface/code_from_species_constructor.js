// ends: value "TypeError"
// limits: timeout_ms=20000
class F extends (() => { }).constructor { }
try { return typeof new F('return this')(); } catch (e) { return e.name; }
