// ends: value true
// limits: timeout_ms=20000
let s = '';
for (let i = 0; i < 1e4; i++) s += 'ab' + i;
return s.length === 58890 || s.length;
