// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    const g = (function* () { try { yield 1; } finally { g.return(2); } })();
    g.next();
    g.return(1);
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
