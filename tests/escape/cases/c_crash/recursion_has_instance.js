// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const o = { [Symbol.hasInstance]: (v) => v instanceof o };
  return 1 instanceof o;
} catch (e) {
  return e === null ? 'null' : e.name;
}
