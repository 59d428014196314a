// ends: timeout
// limits: timeout_ms=200
let s = '[';
for (let i = 0; i < 60000; i += 2) s += String.fromCharCode(0x100 + i);
for (;;) new RegExp(s + ']', 'iu');
