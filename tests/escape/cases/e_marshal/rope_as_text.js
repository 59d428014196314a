// ends: value [78520, 58890, 58892]
// limits: timeout_ms=20000
let s = '';
for (let i = 0; i < 1e4; i++) s += 'ab' + i;
return [toBase64(s).length, new TextEncoder().encode(s).length, JSON.stringify(s).length];
