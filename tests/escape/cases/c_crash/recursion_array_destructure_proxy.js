// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const p = new Proxy([], { get: (t, k) => { const [a] = p; return a; } });
  return p[0];
} catch (e) {
  return e === null ? 'null' : e.name;
}
