// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  let A = class {};
  for (let i = 0; i < 20000; i++) A = class extends A {};
  return typeof new A();
} catch (e) {
  return e === null ? 'null' : e.name;
}
