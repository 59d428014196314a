// ends: value "SyntaxError"
// limits: timeout_ms=20000
try {
  return new RegExp('(?:'.repeat(1e5) + 'a' + ')'.repeat(1e5)).test('a');
} catch (e) {
  return e === null ? 'null' : e.name;
}
