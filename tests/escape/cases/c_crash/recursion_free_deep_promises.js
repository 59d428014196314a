// ends: value "freed"
// limits: timeout_ms=20000
try {
  let p = Promise.resolve();
  for (let i = 0; i < 1e5; i++) p = p.then(() => {});
  p = null;
  return 'freed';
} catch (e) {
  return e === null ? 'null' : e.name;
}
