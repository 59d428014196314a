// ends: value "ok" | timeout
// limits: timeout_ms=1000
for (let i = 0; i < 3e6; i++) { const a = {}; a.self = a; a.b = new Uint8Array(64); }
return 'ok';
