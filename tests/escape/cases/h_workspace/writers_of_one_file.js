// ends: value true
// limits: timeout_ms=30000
// powers: workspace
const texts = ["a", "b", "c"].map((letter) => letter.repeat(100_000));
let whole = true;
await Promise.all([...Array(30).keys()].map(async (i) => {
  await workspace.write("shared", texts[i % 3]);
  whole &&= texts.includes(await workspace.read("shared"));
}));
return whole && !(await workspace.list(".")).some((name) => name.startsWith(".nodetool"));
