// ends: value "logged"
// limits: timeout_ms=20000
// rss: 128
let a = ['x'];
for (let i = 0; i < 28; i++) a = [a, a];
console.log(a);
return 'logged';
