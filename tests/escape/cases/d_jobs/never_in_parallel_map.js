// ends: deadlock
// limits: timeout_ms=20000
await parallelMap([1, 2], () => new Promise(() => {}));
