// ends: timeout
// limits: timeout_ms=500
await sleep(1, { get signal() { for (;;); } });
