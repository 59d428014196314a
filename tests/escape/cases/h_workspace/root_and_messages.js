// ends: value ["/workspace","ENOENT: no such file or directory, open 'nope'","workspace path resolves outside the workspace: d/../../x",false]
// powers: workspace
return [await workspace.root(), await workspace.read("nope").catch((e) => e.message), await workspace.read("d/../../x").catch((e) => e.message), (await workspace.stat("nope")).exists];
