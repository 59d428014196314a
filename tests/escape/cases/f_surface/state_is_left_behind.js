// ends: value 1
// limits: timeout_ms=20000
globalThis.leak = 'secret-7f3a';
Array.prototype.leak = 'secret-7f3a';
const b = new Uint8Array(3e7).fill(0x5a);
return 1;
