// ends: error RangeError /more than 20,971,520 bytes .*max_workspace_file_bytes/ | error InternalError /out of memory/
// limits: timeout_ms=20000
// rss: 256
// powers: workspace
for (;;) await workspace.write("a", "x".repeat(3e7));
