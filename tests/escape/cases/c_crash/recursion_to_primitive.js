// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const o = { [Symbol.toPrimitive]: () => +o };
  return +o;
} catch (e) {
  return e === null ? 'null' : e.name;
}
