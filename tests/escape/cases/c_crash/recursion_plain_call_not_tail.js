// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  return (function f(n) { return 1 + f(n + 1); })(0);
} catch (e) {
  return e === null ? 'null' : e.name;
}
