// ends: value "RangeError" | timeout
// limits: timeout_ms=250
try {
  return JSON.stringify({ toJSON() { return { a: this }; } });
} catch (e) {
  return e === null ? 'null' : e.name;
}
