// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  let c = [];
  for (let i = 0; i < 1e5; i++) c = [c];
  return c.flat(Infinity).length;
} catch (e) {
  return e === null ? 'null' : e.name;
}
