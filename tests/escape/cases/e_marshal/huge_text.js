// ends: value /^x{100000}\n\.\.\.\[truncated\]$/
// limits: timeout_ms=20000
// rss: 256
return 'x'.repeat(5e7);
