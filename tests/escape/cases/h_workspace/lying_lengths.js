// ends: value []
// powers: workspace
const wrong = [];
for (const data of [{ length: 1e9 }, { length: -1 }, { length: NaN }, { length: 2 ** 53 }, { length: "9" }, { get length() { throw new Error("mine"); } },
  new Proxy([], { get(target, key) { return key === "length" ? 1e9 : 1; } })]) {
  try {
    await workspace.writeBytes("x", data);
    if ((await workspace.stat("x")).size) wrong.push("written");
  } catch (error) {
    if (!(error instanceof Error)) wrong.push(String(error));
  }
}
return wrong;
