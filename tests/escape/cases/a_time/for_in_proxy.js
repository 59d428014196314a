// ends: timeout
// limits: timeout_ms=200
for (const k in new Proxy({}, { ownKeys: () => { for (;;); } })) return k;
