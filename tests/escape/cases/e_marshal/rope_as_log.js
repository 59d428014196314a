// ends: value 1
// limits: timeout_ms=20000
let s = '';
for (let i = 0; i < 1e4; i++) s += 'ab' + i;
console.log(s);
return 1;
