// ends: value []
// powers: workspace
const wrong = [];
for (const [member, ...args] of [["remove", "."], ["remove", ""], ["remove", "/workspace"], ["remove", "full"], ["remove", "full/deep/.."], ["move", ".", "x"],
  ["move", "file", "."], ["move", "empty", ".."], ["move", "full", "file"], ["copy", "full", "x"], ["copy", "file", "."], ["mkdir", "file/x"],
  ["mkdir", "file"], ["write", ".", "x"], ["write", "file/x", "x"], ["move", "full", "full/deep/x"], ["read", "."], ["list", "file"]]) {
  const done = await workspace[member](...args).then(() => true, (error) => !(error instanceof Error));
  if (done) wrong.push([member, ...args]);
}
if ((await workspace.read("file")) !== "content") wrong.push("file");
if ((await workspace.read("full/deep/leaf")) !== "leaf") wrong.push("leaf");
return wrong;
