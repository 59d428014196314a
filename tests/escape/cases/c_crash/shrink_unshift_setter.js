// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    Object.defineProperty(Array.prototype, 7, { set() { a.length = 0; }, get() { return 1; }, configurable: true });
    a.unshift(1, 2, 3);
    delete Array.prototype[7];
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
