// ends: value "InternalError"
// limits: timeout_ms=20000
try {
  let f = () => 1;
  for (let i = 0; i < 1e5; i++) f = f.bind(null);
  return f();
} catch (e) {
  return e === null ? 'null' : e.name;
}
