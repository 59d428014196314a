// ends: error - /^ab0ab1/
// limits: timeout_ms=20000
throw (() => { let s = ''; for (let i = 0; i < 1e4; i++) s += 'ab' + i; return s; })();
