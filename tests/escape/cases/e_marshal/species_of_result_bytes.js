// ends: repr b'\x01\x02'
// limits: timeout_ms=20000
class U extends Uint8Array { get buffer() { while (1); } get byteLength() { while (1); } get length() { while (1); } }
return new U([1, 2]);
