// ends: repr [b'']
// limits: timeout_ms=20000
const b = new ArrayBuffer(16, { maxByteLength: 32 }), u = new Uint8Array(b, 8, 8);
b.resize(4);
return [u];
