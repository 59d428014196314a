// ends: repr {'a': 1, 'u': b'\x00\x00\x00\x00\x00\x00\x00\x00'}
// limits: timeout_ms=20000
const ab = new ArrayBuffer(800, { maxByteLength: 8000 }), u = new Float64Array(ab);
return { get a() { ab.resize(8); return 1; }, u };
