// ends: value "logged"
// limits: timeout_ms=20000
try {
  let a = [];
  for (let i = 0; i < 1e5; i++) a = [a];
  console.log(a);
  return 'logged';
} catch (e) {
  return e === null ? 'null' : e.name;
}
