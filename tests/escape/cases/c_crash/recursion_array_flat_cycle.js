// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const c = [];
  c[0] = c;
  return c.flat(Infinity).length;
} catch (e) {
  return e === null ? 'null' : e.name;
}
