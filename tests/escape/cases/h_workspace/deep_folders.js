// ends: value ["MAX_WORKSPACE_DEPTH","ENAMETOOLONG","MAX_WORKSPACE_DEPTH"]
// powers: workspace
const named = (error) => error.code ?? /MAX_\w+/.exec(error.message)[0];
const seen = [await workspace.mkdir("d/".repeat(65)).catch(named), await workspace.mkdir("d/".repeat(1e4)).catch(named)];
let path = "s";
for (let i = 0; i < 100; i++) {
  try {
    await workspace.mkdir(path);
    path += "/s";
  } catch (error) {
    seen.push(named(error));
    break;
  }
}
return seen;
