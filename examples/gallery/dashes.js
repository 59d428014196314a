// Dashed lines, an odd pattern, an offset, and a dashed outline
const surface = createCanvas(300, 180);
const ctx = surface.getContext("2d");
ctx.strokeStyle = "#1d4ed8";
ctx.lineWidth = 5;
[[15, 5], [12, 3, 3], [1, 8]].forEach((dash, at) => {
  ctx.setLineDash(dash);
  ctx.lineCap = at === 2 ? "round" : "butt";
  ctx.beginPath();
  ctx.moveTo(15, 20 + at * 22);
  ctx.lineTo(285, 20 + at * 22);
  ctx.stroke();
});
ctx.lineCap = "butt";
ctx.setLineDash([10, 6]);
ctx.lineDashOffset = 8;
ctx.strokeRect(20.5, 95.5, 110, 60);
ctx.beginPath();
ctx.ellipse(215, 125, 60, 32, 0.3, 0, Math.PI * 2);
ctx.stroke();
return await surface.toBytes();
