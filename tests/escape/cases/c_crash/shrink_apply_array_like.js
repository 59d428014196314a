// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    Math.max.apply(null, new Proxy(a, { get(t, k) { a.length = 0; return k === 'length' ? 5 : t[k]; } }));
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
