// ends: value 1
// limits: timeout_ms=20000
console.log(...Array(60000).fill('y'));
return 1;
