// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  let p = () => 1;
  for (let i = 0; i < 1e5; i++) p = new Proxy(p, {});
  return p();
} catch (e) {
  return e === null ? 'null' : e.name;
}
