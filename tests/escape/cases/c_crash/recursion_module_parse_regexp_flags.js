// ends: value "SyntaxError"
// limits: timeout_ms=20000
try {
  return new RegExp('(?i:'.repeat(20000) + 'a' + ')'.repeat(20000)).test('A');
} catch (e) {
  return e === null ? 'null' : e.name;
}
