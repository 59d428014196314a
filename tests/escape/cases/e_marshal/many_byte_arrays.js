// ends: value /\[truncated\]$/
// limits: timeout_ms=20000
// rss: 256
return Array.from({ length: 1e5 }, () => new Uint8Array(100));
