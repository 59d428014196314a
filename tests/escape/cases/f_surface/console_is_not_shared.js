// ends: value 1
// limits: timeout_ms=20000
console.log.marker = 1;
Object.getPrototypeOf(console.log).marker = 2;
return 1;
