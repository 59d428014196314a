// ends: value /operations exceeds the 10000 limit/
// powers: canvas
const path = new Path2D("M0 0L9 9");
for (let i = 0; i < 40; i++) path.addPath(path);
const surface = createCanvas(10, 10);
surface.getContext("2d").stroke(path);
try { return await surface.toBytes(); } catch (e) { return e.message; }
