// ends: value 999999
// limits: timeout_ms=20000
try {
  let s = '';
  for (let i = 0; i < 1e6; i++) s = 'a' + s;
  return s.length + s.indexOf('b');
} catch (e) {
  return e === null ? 'null' : e.name;
}
