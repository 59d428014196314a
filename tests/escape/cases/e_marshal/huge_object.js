// ends: error InternalError /out of memory/ | value /\[truncated\]$/
// limits: timeout_ms=20000
// rss: 256
return Object.fromEntries(Array.from({ length: 5e5 }, (_, i) => ['k' + i, i]));
