// ends: value true
// limits: timeout_ms=20000
try {
  return new RegExp('('.repeat(250) + 'a' + ')'.repeat(250)).test('a');
} catch (e) {
  return e === null ? 'null' : e.name;
}
