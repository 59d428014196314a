// ends: value true
// limits: timeout_ms=20000
async function deep(n) { try { return await deep(n + 1); } catch { await sleep(0); return n > 0; } }
return await deep(0);
