// ends: value /^ab0ab1.*ab9998ab9999$/
// limits: timeout_ms=20000
let s = '';
for (let i = 0; i < 1e4; i++) s += 'ab' + i;
return s;
