// ends: timeout
// limits: timeout_ms=250
await parallelMap(Array(1e6).fill(0), async () => { for (;;) await 0; }, 32);
