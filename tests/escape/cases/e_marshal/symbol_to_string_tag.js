// ends: value {}
// limits: timeout_ms=20000
return { get [Symbol.toStringTag]() { while (1); } };
