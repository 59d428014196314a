// ends: value "DataCloneError"
// limits: timeout_ms=20000
try {
  const o = { get a() { return structuredClone(o); } };
  return typeof structuredClone(o);
} catch (e) {
  return e === null ? 'null' : e.name;
}
