// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  class A extends Array { static get [Symbol.species]() { new A(1).map((x) => x); return Array; } }
  return new A(1).map((x) => x).length;
} catch (e) {
  return e === null ? 'null' : e.name;
}
