// ends: error - /^\[object Object\]/
// limits: timeout_ms=20000
let a = {};
for (let i = 0; i < 60; i++) a = { l: a, r: a };
throw a;
