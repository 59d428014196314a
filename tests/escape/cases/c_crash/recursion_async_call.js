// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  async function g() { await g(); }
  return await g();
} catch (e) {
  return e === null ? 'null' : e.name;
}
