// ends: error - /^a value that cannot be read was thrown/
// limits: timeout_ms=20000
let a = 1;
for (let i = 0; i < 1e5; i++) a = [a];
throw a;
