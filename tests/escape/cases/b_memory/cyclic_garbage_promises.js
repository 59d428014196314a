// ends: value "ok" | timeout
// limits: timeout_ms=1000
for (let i = 0; i < 2e5; i++) { const p = new Promise(() => {}); p.self = p; }
return 'ok';
