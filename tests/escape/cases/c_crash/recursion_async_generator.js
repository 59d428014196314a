// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  async function* g() { yield* g(); }
  for await (const x of g()) return x;
} catch (e) {
  return e === null ? 'null' : e.name;
}
