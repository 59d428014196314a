// ends: value "unharmed"
// limits: timeout_ms=20000
const canary = new Uint8Array(1 << 20).fill(0x5a);
let outcome = 'value';
try {
  const ab = new ArrayBuffer(800, { maxByteLength: 8000 }), u = new Float64Array(ab);
  for (let i = 0; i < u.length; i++) u[i] = i;
  u.sort(() => { try { ab.transfer(); } catch { } return 1; });
  if (u.length > 100) outcome = 'grew';
} catch (e) {
  if (!(e instanceof TypeError || e instanceof RangeError)) throw e;
  outcome = e.name;
}
if (new Uint8Array(1 << 16).some((x) => x !== 0)) return 'a fresh array is not zero';
if (canary.some((x) => x !== 0x5a)) return 'the canary changed';
return 'unharmed';
