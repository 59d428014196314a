// ends: value "SyntaxError"
// limits: timeout_ms=20000
try {
  return new RegExp('(?:'.repeat(2000) + 'a' + ')*'.repeat(2000)).test('b');
} catch (e) {
  return e === null ? 'null' : e.name;
}
