// ends: repr [b'', b'']
// limits: timeout_ms=20000
const b = new ArrayBuffer(8), u = new Uint8Array(b);
b.transfer();
return [u, b];
