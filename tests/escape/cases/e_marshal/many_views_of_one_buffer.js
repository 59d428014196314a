// ends: error RangeError /^the result: more than 16777216 bytes of binary data/
// limits: timeout_ms=20000
// rss: 256
const u = new Uint8Array(1e6);
return Array.from({ length: 1000 }, () => new Uint8Array(u.buffer));
