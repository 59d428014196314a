// ends: value ["object", "number", true]
// limits: timeout_ms=20000
return [typeof crypto, typeof Math.random(), Math.random(5) < 1];
