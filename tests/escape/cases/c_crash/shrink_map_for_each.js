// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    const m = new Map(a.map((x) => [x, x]));
    m.forEach((v, k) => { m.clear(); m.set(k, v); if (m.size) m.delete(k); });
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
