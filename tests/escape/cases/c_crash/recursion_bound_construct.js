// ends: value "InternalError"
// limits: timeout_ms=20000
try {
  let f = class {};
  for (let i = 0; i < 1e5; i++) f = f.bind(null);
  return typeof new f();
} catch (e) {
  return e === null ? 'null' : e.name;
}
