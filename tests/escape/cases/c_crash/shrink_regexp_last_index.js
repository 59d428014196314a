// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    const r = /a/g;
    r.lastIndex = { valueOf() { r.compile?.('b', 'g'); return 0; } };
    r.exec('aaa');
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
