// ends: error -
// limits: timeout_ms=20000
throw new Uint8Array(1e6);
