// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  return JSON.parse('['.repeat(1e5) + ']'.repeat(1e5), (k, v) => v);
} catch (e) {
  return e === null ? 'null' : e.name;
}
