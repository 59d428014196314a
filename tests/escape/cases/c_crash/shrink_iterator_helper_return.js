// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    const it = Iterator.from({ next: () => ({ value: 1, done: false }), return() { it.return(); return {}; } }).map((x) => x);
    it.next();
    it.return();
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
