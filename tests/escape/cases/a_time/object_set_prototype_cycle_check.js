// ends: timeout
// limits: timeout_ms=200
let o = {};
for (let i = 0; i < 3e5; i++) o = Object.create(o);
for (;;) Object.setPrototypeOf({}, o);
