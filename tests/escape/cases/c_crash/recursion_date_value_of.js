// ends: value "TypeError"
// limits: timeout_ms=20000
try {
  const d = new Date();
  d[Symbol.toPrimitive] = () => new Date(d);
  return +d;
} catch (e) {
  return e === null ? 'null' : e.name;
}
