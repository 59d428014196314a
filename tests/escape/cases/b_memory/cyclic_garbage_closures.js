// ends: value "ok" | timeout
// limits: timeout_ms=1000
for (let i = 0; i < 5e5; i++) { const f = () => f; f.g = f; }
return 'ok';
