// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    a[1] = { toJSON() { a.length = 0; return 1; } };
    JSON.stringify(a);
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
