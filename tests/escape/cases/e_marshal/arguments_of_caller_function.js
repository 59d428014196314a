// ends: value "no"
// limits: timeout_ms=20000
try { return console.log.apply({}, { length: 3, get 0() { throw new Error('no'); } }); } catch (e) { return e.message; }
