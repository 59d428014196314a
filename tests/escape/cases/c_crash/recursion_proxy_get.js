// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  let p = {};
  for (let i = 0; i < 1e5; i++) p = new Proxy(p, {});
  return p.x;
} catch (e) {
  return e === null ? 'null' : e.name;
}
