// ends: value "RangeError" | value "DataCloneError"
// limits: timeout_ms=20000
try {
  let a = [];
  for (let i = 0; i < 1e5; i++) a = [a];
  return typeof structuredClone(a);
} catch (e) {
  return e === null ? 'null' : e.name;
}
