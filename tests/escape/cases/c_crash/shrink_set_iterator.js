// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    const s = new Set(a);
    for (const x of s) { s.clear(); s.add(x + 1); if (x > 20) break; }
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
