// ends: value 1
// limits: timeout_ms=20000
// rss: 160
// globals: {"state": {"a": 1}}
let a = {};
for (let i = 0; i < 60; i++) a = { l: a, r: a };
state.tree = a;
return 1;
