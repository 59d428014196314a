// ends: timeout
// limits: timeout_ms=200
// logs: []
while (true) { await (async () => { await 0; while (1); })().catch(() => { console.log('caught'); }); }
