// ends: value
// limits: timeout_ms=20000
// rss: 160
try { return new ArrayBuffer(8, { maxByteLength: 2 ** 30 }).byteLength; } catch (e) { return e.name; }
