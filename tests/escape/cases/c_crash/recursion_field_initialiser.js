// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  class A { x = new A(); }
  return new A();
} catch (e) {
  return e === null ? 'null' : e.name;
}
