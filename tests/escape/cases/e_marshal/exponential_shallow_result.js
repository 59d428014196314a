// ends: value /^\[\[/
// limits: timeout_ms=20000
// rss: 256
let a = [1];
for (let i = 0; i < 28; i++) a = [a, a];
return a;
