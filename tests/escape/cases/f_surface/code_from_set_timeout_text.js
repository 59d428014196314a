// ends: value ["undefined", "undefined", "undefined", "undefined"]
// limits: timeout_ms=20000
return [typeof setTimeout, typeof setInterval, typeof setImmediate, typeof requestAnimationFrame];
