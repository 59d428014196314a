// ends: value "unharmed"
// limits: timeout_ms=20000
const canary = new Uint8Array(1 << 16).fill(0x5a);
for (let k = 1; k <= 300; k++) {
  const ab = new ArrayBuffer(800, { maxByteLength: 8000 }), u = new Float64Array(ab).fill(7);
  let calls = 0;
  const hit = () => { if (++calls === k) ab.resize(8); if (calls > 5000) throw new RangeError('enough'); };
  try {
    u.some(() => { hit(); return false; });
  } catch (e) {
    if (!(e instanceof TypeError || e instanceof RangeError)) throw e;
  }
}
if (new Float64Array(1e4).some((x) => x !== 0)) return 'a fresh array is not zero';
if (canary.some((x) => x !== 0x5a)) return 'the canary changed';
return 'unharmed';
