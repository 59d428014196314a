// ends: value []
// limits: timeout_ms=20000
// powers: workspace
const odd = [undefined, null, 1, NaN, 1n, true, Symbol("x"), [], ["file"], {}, { toString: () => "../x" }, () => "file", new Uint8Array(3),
  new Date(0), new Map([["a", 1]]), new Proxy({}, { get() { throw 1; } }), new Error("../x")];
const wrong = [];
for (const member of Object.keys(workspace)) {
  if (member === "root") continue;
  for (const value of odd) {
    try {
      await workspace[member](value, value);
      wrong.push([member, typeof value]);
    } catch (error) {
      if (!(error instanceof Error) && error !== 1) wrong.push([member, typeof value, "no error"]);
      if (/outside|host/.test(error.message)) wrong.push([member, error.message]);
    }
  }
}
return wrong;
