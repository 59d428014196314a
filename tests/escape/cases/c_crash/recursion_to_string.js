// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const o = { toString: () => `${o}` };
  return `${o}`;
} catch (e) {
  return e === null ? 'null' : e.name;
}
