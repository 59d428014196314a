// ends: value "TypeError"
// limits: timeout_ms=20000
try { return typeof Reflect.construct((() => { }).constructor.bind?.(null, 'return this') ?? class { }, []); } catch (e) { return e.name; }
