// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  return JSON.parse('['.repeat(1e6));
} catch (e) {
  return e === null ? 'null' : e.name;
}
