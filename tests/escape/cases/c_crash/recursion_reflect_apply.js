// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const f = () => Reflect.apply(f, null, []);
  return f();
} catch (e) {
  return e === null ? 'null' : e.name;
}
