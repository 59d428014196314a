// ends: value "RangeError" | timeout
// limits: timeout_ms=250
try {
  const f = (v) => { const p = { then: (r) => f(r) }; return Promise.resolve(p).then(f) && f(v); };
  return f(1);
} catch (e) {
  return e === null ? 'null' : e.name;
}
