// ends: value 97
// limits: timeout_ms=20000
try {
  let s = '';
  for (let i = 0; i < 1e6; i++) s = s + 'a';
  return s.charCodeAt(5);
} catch (e) {
  return e === null ? 'null' : e.name;
}
