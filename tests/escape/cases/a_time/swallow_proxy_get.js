// ends: timeout
// limits: timeout_ms=200
// logs: []
const p = new Proxy({}, { get() { while (1); } });
try { p.x; } catch { console.log('caught'); }
return 'survived';
