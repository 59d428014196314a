// ends: value "logged"
// limits: timeout_ms=20000
try {
  const o = { toJSON() { console.log(o); return 1; } };
  console.log(o);
  return 'logged';
} catch (e) {
  return e === null ? 'null' : e.name;
}
