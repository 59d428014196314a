// ends: value "freed"
// limits: timeout_ms=20000
try {
  let a = null;
  for (let i = 0; i < 5e5; i++) a = { a };
  a = null;
  return 'freed';
} catch (e) {
  return e === null ? 'null' : e.name;
}
