// ends: timeout
// limits: timeout_ms=200
// logs: []
const g = (async function* () { try { yield 1; } finally { while (1); } })();
await g.next();
await g.return().catch(() => {});
return 'survived';
