// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    const s = new Set(a);
    s.intersection({ size: 9, has: (x) => { s.delete(x); s.clear(); return true; }, keys: () => [][Symbol.iterator]() });
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
