// ends: value "logged"
// limits: timeout_ms=20000
// rss: 128
let a = {};
for (let i = 0; i < 60; i++) a = { l: a, r: a };
console.log(a);
return 'logged';
