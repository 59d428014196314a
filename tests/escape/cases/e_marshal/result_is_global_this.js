// ends: value {}
// limits: timeout_ms=20000
return globalThis;
