// ends: deadlock
// limits: timeout_ms=20000
await { then() { } };
