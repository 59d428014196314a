// Ends and corners of wide lines, and a limit on sharp ones
const surface = createCanvas(300, 200);
const ctx = surface.getContext("2d");
ctx.lineWidth = 16;
["butt", "round", "square"].forEach((cap, at) => {
  ctx.lineCap = cap;
  ctx.strokeStyle = "#0e7490";
  ctx.beginPath();
  ctx.moveTo(30, 30 + at * 40);
  ctx.lineTo(110, 30 + at * 40);
  ctx.stroke();
});
ctx.lineCap = "butt";
["miter", "round", "bevel"].forEach((join, at) => {
  ctx.lineJoin = join;
  ctx.strokeStyle = "#be185d";
  ctx.beginPath();
  ctx.moveTo(150, 50 + at * 45);
  ctx.lineTo(180, 20 + at * 45);
  ctx.lineTo(210, 50 + at * 45);
  ctx.stroke();
});
ctx.lineJoin = "miter";
ctx.lineWidth = 8;
[2, 10].forEach((limit, at) => {
  ctx.miterLimit = limit;
  ctx.beginPath();
  ctx.moveTo(240 + at * 26, 180);
  ctx.lineTo(248 + at * 26, 110);
  ctx.lineTo(256 + at * 26, 180);
  ctx.stroke();
});
return await surface.toBytes();
