// ends: value /\n\.\.\.\[truncated\]$/
// limits: timeout_ms=20000 memory_limit_bytes=268435456
// rss: 600
return '\u1234'.repeat(5e7);
