// ends: value "SyntaxError"
// limits: timeout_ms=20000
try {
  return new RegExp('(?<='.repeat(5000) + 'a' + ')'.repeat(5000)).exec('a');
} catch (e) {
  return e === null ? 'null' : e.name;
}
