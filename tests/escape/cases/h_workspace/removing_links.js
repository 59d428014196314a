// ends: value []
// powers: workspace
const left = [];
const links = ["out_file", "out_folder", "slash", "up", "proc", "dev", "itself", "one", "dangling_out", "dangling_in", "absolute_in", "full/out"];
for (const link of links) {
  if (!(await workspace.stat(link)).isSymlink) left.push([link, "is no link"]);
  await workspace.remove(link);
  if ((await workspace.stat(link)).exists) left.push(link);
}
return left;
