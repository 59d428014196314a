// ends: value []
// powers: workspace
const wrong = [];
for (const path of ["itself", "one", "two", "one/x", "itself/itself", "chain50", "chain45/x"]) {
  for (const [member, ...args] of [["read", path], ["write", path, "x"], ["list", path], ["copy", path, "y"], ["copy", "file", path]]) {
    const code = await workspace[member](...args).then(() => "done", (error) => error.code ?? error.message);
    if (code !== "ELOOP" && code !== "ENOTDIR" && code !== "EEXIST") wrong.push([member, path, code]);
  }
}
if ((await workspace.read("chain20")) !== "content") wrong.push("a chain of 20 is fine");
return wrong;
