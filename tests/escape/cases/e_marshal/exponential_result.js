// ends: value /^\{"l":/
// limits: timeout_ms=20000
// rss: 128
let a = {};
for (let i = 0; i < 60; i++) a = { l: a, r: a };
return a;
