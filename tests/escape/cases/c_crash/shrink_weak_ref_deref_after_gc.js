// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    const w = new WeakRef({});
    for (let k = 0; k < 1000; k++) ({ k }).self = w;
    w.deref();
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
