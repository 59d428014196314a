// ends: value "freed"
// limits: timeout_ms=20000
try {
  let f = null;
  for (let i = 0; i < 3e5; i++) { const g = f; f = () => g; }
  f = null;
  return 'freed';
} catch (e) {
  return e === null ? 'null' : e.name;
}
