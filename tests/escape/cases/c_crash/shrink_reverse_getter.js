// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    Object.defineProperty(a, 0, { get() { a.length = 1; return 1; }, set() { }, configurable: true });
    a.reverse();
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
