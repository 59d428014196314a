// ends: value 58890
// limits: timeout_ms=20000
let s = '';
for (let i = 0; i < 1e4; i++) s += 'ab' + i;
return Object.keys({ [s]: 1 })[0].length;
