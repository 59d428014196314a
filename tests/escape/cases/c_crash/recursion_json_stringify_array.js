// ends: value "RangeError" | timeout
// limits: timeout_ms=250
try {
  let a = [];
  for (let i = 0; i < 1e5; i++) a = [a];
  return JSON.stringify(a).length;
} catch (e) {
  return e === null ? 'null' : e.name;
}
