// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  class A { set x(v) { this.x = v; } }
  return (new A().x = 1);
} catch (e) {
  return e === null ? 'null' : e.name;
}
