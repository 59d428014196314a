// ends: error Error /^tree$/
// limits: timeout_ms=20000
throw (() => { let a = {}; for (let i = 0; i < 60; i++) a = { l: a, r: a }; return new Error('tree', { cause: a }); })();
