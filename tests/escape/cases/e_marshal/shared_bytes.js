// ends: repr {'u': b'\x07\x07\x07', 'again': b'\x07\x07\x07', 'list': [b'\x07\x07\x07']}
// limits: timeout_ms=20000
const u = new Uint8Array(3).fill(7);
return { u, again: u, list: [u] };
