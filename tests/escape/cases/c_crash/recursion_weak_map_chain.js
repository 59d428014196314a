// ends: value true | timeout
// limits: timeout_ms=250
try {
  const m = new WeakMap();
  let k = {};
  const first = k;
  for (let i = 0; i < 3e5; i++) { const n = {}; m.set(k, n); k = n; }
  return m.has(first);
} catch (e) {
  return e === null ? 'null' : e.name;
}
