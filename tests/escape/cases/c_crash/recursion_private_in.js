// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  class A { #x; static f(o) { return A.f(o) || #x in o; } }
  return A.f({});
} catch (e) {
  return e === null ? 'null' : e.name;
}
