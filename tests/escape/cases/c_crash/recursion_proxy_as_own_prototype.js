// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const p = new Proxy({}, { get: (t, k, r) => r[k] });
  return p.x;
} catch (e) {
  return e === null ? 'null' : e.name;
}
