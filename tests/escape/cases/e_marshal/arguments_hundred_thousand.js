// ends: value "RangeError"
// limits: timeout_ms=20000
try { return await sleep.apply(null, Array(1e5).fill(0)); } catch (e) { return e.name; }
