// ends: error RangeError /max_workspace_bytes/
// limits: timeout_ms=50000 memory_limit_bytes=134217728 max_workspace_bytes=70000000
// rss: 256
// powers: workspace
const text = "x".repeat(2e7);
for (let i = 0; ; i++) await workspace.write("a", text);
