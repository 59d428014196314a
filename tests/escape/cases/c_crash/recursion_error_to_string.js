// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const e = new Error();
  Object.defineProperty(e, 'message', { get: () => String(e) });
  return String(e);
} catch (e) {
  return e === null ? 'null' : e.name;
}
