// ends: value "ok" | timeout
// limits: timeout_ms=500
for (let i = 0; i < 2e4; i++) { const a = {}; a.self = a; a.b = 'x'.repeat(1 << 16) + i; }
return 'ok';
