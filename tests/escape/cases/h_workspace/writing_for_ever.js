// ends: timeout
// limits: timeout_ms=400
// powers: workspace
for (;;) await Promise.all([workspace.write("file", "y".repeat(1e6)), workspace.copy("file", "copy").catch(() => {}), workspace.move("copy", "moved").catch(() => {})]);
