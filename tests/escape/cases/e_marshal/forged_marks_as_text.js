// ends: value ["[Circular]", "[Depth limit]", "...[truncated]", "\n...[truncated]"]
// limits: timeout_ms=20000
return ['[Circular]', '[Depth limit]', '...[truncated]', '\n...[truncated]'];
