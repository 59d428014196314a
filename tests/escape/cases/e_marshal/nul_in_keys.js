// ends: value {"a\u0000b": "c\u0000d"}
// limits: timeout_ms=20000
return { ['a\u0000b']: 'c\u0000d' };
