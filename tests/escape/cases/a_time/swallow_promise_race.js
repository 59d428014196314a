// ends: timeout
// limits: timeout_ms=200
// logs: []
return await Promise.race([new Promise(() => {}), (async () => { try { while (1); } finally { while (1); } })()]);
