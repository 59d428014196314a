// ends: value 1
// limits: timeout_ms=20000
// rss: 160
console.log('x'.repeat(3e7));
return 1;
