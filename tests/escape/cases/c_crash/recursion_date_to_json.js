// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const d = new Date();
  d.toISOString = () => JSON.stringify(d);
  return JSON.stringify(d);
} catch (e) {
  return e === null ? 'null' : e.name;
}
