// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    a.sort(() => { a.push(9); if (a.length > 1000) throw new Error('enough'); return -1; });
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
