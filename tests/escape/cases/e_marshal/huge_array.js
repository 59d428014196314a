// ends: error InternalError /out of memory/ | value /\[truncated\]$/
// limits: timeout_ms=20000
// rss: 256
return Array(5e6).fill(0);
