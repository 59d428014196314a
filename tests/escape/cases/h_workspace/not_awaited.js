// ends: value 1
// powers: workspace
workspace.write("late.txt", "x".repeat(1e6));
workspace.remove("full/deep/leaf").catch(() => {});
workspace.move("empty", "elsewhere");
return 1;
