// ends: value "RangeError" | timeout
// limits: timeout_ms=250
try {
  return JSON.stringify(1, (k, v) => ({ v }));
} catch (e) {
  return e === null ? 'null' : e.name;
}
