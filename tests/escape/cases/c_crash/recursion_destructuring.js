// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const f = ([a] = f()) => a;
  return f();
} catch (e) {
  return e === null ? 'null' : e.name;
}
