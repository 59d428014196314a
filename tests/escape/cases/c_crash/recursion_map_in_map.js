// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const f = () => [1].map(f);
  return f();
} catch (e) {
  return e === null ? 'null' : e.name;
}
