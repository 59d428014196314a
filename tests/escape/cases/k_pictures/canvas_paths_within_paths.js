// ends: value /operations exceeds the 10000 limit|nested 16 deep/
// powers: canvas
// A path that holds itself twice, again and again.
let path = new Path2D("M0 0L9 9");
try {
  for (let i = 0; i < 60; i++) { const next = new Path2D(); next.addPath(path, { a: 1 }); next.addPath(path); path = next; }
  const surface = createCanvas(10, 10);
  surface.getContext("2d").fill(path);
  return await surface.toBytes();
} catch (e) { return e.message; }
