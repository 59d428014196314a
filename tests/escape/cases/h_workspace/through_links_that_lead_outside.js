// ends: value []
// limits: timeout_ms=30000
// powers: workspace
const links = ["out_file", "out_folder", "slash", "up", "proc", "dev", "dangling_out", "absolute_in", "full/out", "full/deep/far_out", "to_full/out"];
const wrong = [];
for (const link of links) {
  for (const path of [link, link + "/secret.txt", link + "/etc/hostname", link + "/environ", link + "/outside.txt", link + "/new/x"]) {
    const works = [["read", path], ["readBytes", path], ["list", path], ["write", path, "x"], ["writeBytes", path, [1]], ["copy", path, "stolen"],
      ["copy", "file", path]];
    // a link itself may be looked at, removed and replaced; what lies behind it may not
    if (path !== link) works.push(["stat", path], ["mkdir", path], ["remove", path], ["move", path, "stolen"], ["move", "file", path]);
    for (const [member, ...args] of works) {
      const seen = await workspace[member](...args).then((value) => ["done", String(value).slice(0, 40)], (error) => error.message);
      if (typeof seen !== "string" || !seen.includes("outside the workspace")) wrong.push([member, path, seen]);
    }
  }
}
return wrong;
