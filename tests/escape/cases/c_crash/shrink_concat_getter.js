// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    Object.defineProperty(a, 1, { get() { a.length = 2; return 1; }, configurable: true });
    [].concat(a, a);
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
