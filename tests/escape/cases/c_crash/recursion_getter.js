// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  class A { get x() { return this.x; } }
  return new A().x;
} catch (e) {
  return e === null ? 'null' : e.name;
}
