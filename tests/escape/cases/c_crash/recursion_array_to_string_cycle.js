// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  let b = [];
  b[0] = b;
  return String(b);
} catch (e) {
  return e === null ? 'null' : e.name;
}
