// ends: repr [UNDEFINED, '__proto__', UNDEFINED]
// limits: timeout_ms=20000
const o = structuredClone(JSON.parse('{"__proto__":{"polluted":1}}'));
return [({}).polluted, Object.keys(o).join(), o.polluted];
