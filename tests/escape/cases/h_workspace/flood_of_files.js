// ends: error RangeError /max_workspace_entries/
// limits: timeout_ms=50000 max_workspace_entries=300
// powers: workspace
for (let i = 0; ; i++) await workspace.write("f" + i, "");
