// ends: deadlock
// limits: timeout_ms=20000
await Promise.withResolvers().promise;
