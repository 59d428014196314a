// ends: value []
// powers: workspace
// They are names like any others, and what is made with them is made inside.
const names = ["$HOME/x", "%2e%2e/x", "..;/x", "\u2025/x", "．．/x", ".../x", " ../x", ".. /x", "..\u200b/x", "\u202e../x", "-rf", "a:b", "con"];
const wrong = [];
for (const name of names) {
  await workspace.write(name, name);
  if ((await workspace.read(name)) !== name) wrong.push(name);
  const [first] = name.split("/");
  if (!(await workspace.list(".")).includes(first)) wrong.push([name, "not listed"]);
}
return wrong;
