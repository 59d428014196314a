// ends: value {"b": 2}
// limits: timeout_ms=20000
return { [Symbol('a')]: 1, b: 2 };
