// ends: value
// limits: timeout_ms=20000
// rss: 128
let a = new Map();
for (let i = 0; i < 60; i++) a = new Map([[1, a], [2, a]]);
return a;
