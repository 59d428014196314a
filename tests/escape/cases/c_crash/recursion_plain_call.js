// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  return (function f() { f(); })();
} catch (e) {
  return e === null ? 'null' : e.name;
}
