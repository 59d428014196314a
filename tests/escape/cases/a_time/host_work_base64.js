// ends: timeout
// limits: timeout_ms=200
for (;;) toBase64(new Uint8Array(2e7));
