// ends: timeout
// limits: timeout_ms=200
await new Promise((r) => { (function f() { Promise.resolve().then(f); })(); });
