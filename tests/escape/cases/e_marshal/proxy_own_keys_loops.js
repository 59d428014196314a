// ends: timeout
// limits: timeout_ms=200
return new Proxy({}, { ownKeys() { while (1); }, getPrototypeOf() { while (1); }, getOwnPropertyDescriptor() { throw 1; } });
