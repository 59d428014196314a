// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    a[Symbol.iterator] = function* () { a.length = 0; yield 1; };
    const [x, ...y] = a;
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
