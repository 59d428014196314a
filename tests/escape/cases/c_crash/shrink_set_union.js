// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    const s = new Set(a);
    s.union({ size: 1, has: () => true, keys: () => ({ next: () => { s.clear(); return { done: true }; } }) });
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
