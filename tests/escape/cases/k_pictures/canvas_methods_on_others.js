// ends: value "TypeError"
// powers: canvas
const names = new Set();
const ctx = createCanvas(1, 1).getContext("2d");
for (const name of ["fillRect", "moveTo", "fillText", "save", "drawImage"]) for (const other of [{}, null, new Path2D(), Object.create(ctx), new Proxy(ctx, {})]) {
  if (name === "moveTo" && other instanceof Path2D) continue;
  try { ctx[name].call(other, 1, 1, 1, 1); names.add(name); } catch (e) { names.add(e.name); }
}
return [...names].join();
