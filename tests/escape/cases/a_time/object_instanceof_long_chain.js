// ends: timeout
// limits: timeout_ms=200
let o = {};
for (let i = 0; i < 1e6; i++) o = Object.create(o);
let n = 0;
for (;;) n += o instanceof Map;
