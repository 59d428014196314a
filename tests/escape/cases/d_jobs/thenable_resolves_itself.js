// ends: timeout
// limits: timeout_ms=200
await { then(r) { r(this); } };
