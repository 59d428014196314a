// ends: value ["content","leaf"]
// powers: workspace
await workspace.copy("file", "file");
await workspace.copy("to_file", "file");
await workspace.copy("file", "to_file");
await workspace.move("file", "file");
await workspace.move("full", "full");
await Promise.all(Array.from({ length: 20 }, () => workspace.copy("file", "file")));
return [await workspace.read("file"), await workspace.read("full/deep/leaf")];
