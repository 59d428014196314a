// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    a.with({ valueOf() { a.length = 0; return 1; } }, 9);
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
