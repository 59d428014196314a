// ends: value []
// limits: timeout_ms=5000
// powers: workspace
const wrong = [];
for (const path of ["fifo", "device"]) {
  if (!(await workspace.stat(path)).exists) continue;
  for (const [member, ...args] of [["read", path], ["readBytes", path], ["write", path, "x"], ["copy", path, "y"], ["copy", "file", path]]) {
    const said = await workspace[member](...args).then(() => "done", (error) => error.message);
    if (!said.includes("a FIFO, a socket or a device")) wrong.push([member, path, said]);
  }
  const { isFile, isDirectory, isSymlink } = await workspace.stat(path);
  if (isFile || isDirectory || isSymlink) wrong.push([path, "stat"]);
}
return wrong;
