// ends: timeout
// limits: timeout_ms=200
for (;;) toHex(new Uint8Array(1e7));
