// ends: value {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "__class__": "x", "__init__": 1, "self": 1, "": 2, "a.b": 3}
// limits: timeout_ms=20000
return JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"__class__":"x","__init__":1,"self":1,"":2,"a.b":3}');
