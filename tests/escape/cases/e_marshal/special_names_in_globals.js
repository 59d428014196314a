// ends: repr [UNDEFINED, 6, True, True]
// limits: timeout_ms=20000
// globals: {"state": {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "__class__": "x", "self": 1, "": 2, "a.b": 3}}
return [({}).polluted, Object.keys(state).length, Object.getPrototypeOf(state) === Object.prototype, Object.hasOwn(state, "__proto__")];
