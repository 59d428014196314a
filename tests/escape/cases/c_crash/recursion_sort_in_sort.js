// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const f = () => [2, 1].sort(f);
  return f();
} catch (e) {
  return e === null ? 'null' : e.name;
}
