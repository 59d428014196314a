// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  function* g() { yield* g(); }
  return [...g()].length;
} catch (e) {
  return e === null ? 'null' : e.name;
}
