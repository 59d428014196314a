// ends: value []
// limits: timeout_ms=20000
// powers: workspace
const spellings = ["../x", "..", "a/../../x", "/etc/hostname", "//etc/hostname", "\\\\etc\\hostname", "..\\x", "C:\\x",
  "file:///etc/hostname", "~", "~/x", "a/\u0000/../../x", "./././../x", "a/".repeat(2000) + "../".repeat(2001) + "x",
  "/proc/self/environ", "/proc/self/root/etc/hostname", "/dev/stdin", "/", "\ud800", "../root/file", "/workspace/../etc/hostname",
  "full/../../outside.txt", "http://x/y", "/workspaces", "empty/../..", "x\u0000"];
const wrong = [];
const say = /outside the workspace|workspace path|ENAMETOOLONG/;
for (const path of spellings) {
  for (const [name, args] of [["read", [path]], ["readBytes", [path]], ["list", [path]], ["stat", [path]], ["write", [path, "x"]],
    ["writeBytes", [path, new Uint8Array(1)]], ["mkdir", [path]], ["remove", [path]], ["copy", [path, "y"]], ["copy", ["file", path]],
    ["move", [path, "y"]], ["move", ["file", path]]]) {
    try {
      await workspace[name](...args);
      wrong.push([name, path.slice(0, 40), "done"]);
    } catch (error) {
      if (!(error instanceof Error) || !say.test(error.message)) wrong.push([name, path.slice(0, 40), error.message]);
    }
  }
}
return wrong;
