// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  return JSON.parse('{"a":'.repeat(1e5));
} catch (e) {
  return e === null ? 'null' : e.name;
}
