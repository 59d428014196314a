// ends: deadlock
// limits: timeout_ms=20000
// logs: []
try { await new Promise(() => {}); } finally { console.log('never'); }
