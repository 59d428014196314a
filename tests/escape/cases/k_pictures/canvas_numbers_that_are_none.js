// ends: value [0, 0, 0, 0]
// powers: canvas
const surface = createCanvas(4, 4), ctx = surface.getContext("2d");
for (const bad of [NaN, Infinity, -Infinity, "x", {}, [], undefined, 1e309])
  for (const name of ["translate", "rotate", "scale", "transform", "moveTo", "lineTo", "bezierCurveTo", "quadraticCurveTo", "arc", "arcTo", "ellipse", "rect", "fillRect", "strokeRect", "clearRect"]) {
    try { ctx[name](bad, bad, bad, bad, bad, bad, bad); } catch (e) { if (!(e instanceof RangeError)) throw e; }
    ctx.fill();
    ctx.stroke();
  }
return [...ctx.getImageData(1, 1, 1, 1).data];
