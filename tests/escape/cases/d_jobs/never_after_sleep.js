// ends: deadlock
// limits: timeout_ms=20000
await sleep(1);
await new Promise(() => {});
