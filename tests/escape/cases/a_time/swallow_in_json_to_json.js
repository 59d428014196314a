// ends: timeout
// limits: timeout_ms=200
// logs: []
try { JSON.stringify({ toJSON() { while (1); } }); } catch { console.log('caught'); }
return 'survived';
