// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const f = () => Array.from([1], f);
  return f();
} catch (e) {
  return e === null ? 'null' : e.name;
}
