// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const o = { get a() { return o?.a?.a; } };
  return o.a;
} catch (e) {
  return e === null ? 'null' : e.name;
}
