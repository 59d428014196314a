// ends: value "RangeError"
// limits: timeout_ms=20000
try {
  const it = { [Symbol.iterator]: () => [...it] };
  return [...it];
} catch (e) {
  return e === null ? 'null' : e.name;
}
