// ends: error RangeError /^the result: more than 16777216 bytes of binary data/
// limits: timeout_ms=20000
// rss: 256
return new Uint8Array(6e7);
