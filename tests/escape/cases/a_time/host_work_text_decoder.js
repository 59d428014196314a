// ends: timeout
// limits: timeout_ms=200
const b = new Uint8Array(1e7).fill(0xff);
for (;;) new TextDecoder().decode(b);
