// ends: value []
// limits: timeout_ms=20000
// powers: workspace
const cyclic = {};
cyclic.self = cyclic;
const wrong = [];
for (const content of [undefined, null, 1, 1n, {}, [], cyclic, Symbol("x"), () => 1, new Map(), new Proxy({}, { ownKeys() { throw 1; } })]) {
  try {
    await workspace.write("x", content);
    wrong.push(typeof content);
  } catch (error) {
    if (!(error instanceof Error) && error !== 1) wrong.push(String(error));
  }
}
if ((await workspace.stat("x")).exists) wrong.push("something was written");
return wrong;
