// ends: error Error /^ab0ab1ab2/
// limits: timeout_ms=20000
let s = '';
for (let i = 0; i < 1e4; i++) s += 'ab' + i;
throw new Error(s);
