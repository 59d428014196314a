// ends: value []
// powers: workspace
// A link that is moved would lead elsewhere. What is moved onto a link replaces the link.
const wrong = [];
for (const link of ["out_file", "out_folder", "slash", "up", "to_file", "itself", "full/deep/far_out"]) {
  const said = await workspace.move(link, "moved").then(() => "done", (error) => error.message);
  if (!said.includes("a link is not moved")) wrong.push([link, said]);
}
await workspace.write("mine", "mine");
await workspace.move("mine", "out_file");
if ((await workspace.read("out_file")) !== "mine" || (await workspace.stat("out_file")).isSymlink) wrong.push("not replaced");
return wrong;
