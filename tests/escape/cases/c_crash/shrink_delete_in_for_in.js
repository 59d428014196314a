// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    const o = { a: 1, b: 2, c: 3 };
    for (const k in o) { delete o.b; delete o.c; o.d = 1; }
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
