// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  let b = [];
  for (let i = 0; i < 1e5; i++) b = [b];
  return String(b);
} catch (e) {
  return e === null ? 'null' : e.name;
}
