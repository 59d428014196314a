// ends: value 1
// limits: timeout_ms=20000
// globals: {"state": {"a": 1}}
let d = {};
for (let i = 0; i < 1e5; i++) d = { d };
state.d = d;
return 1;
