// Points stay where they were put, whatever is transformed before the stroke
const surface = createCanvas(260, 180);
const ctx = surface.getContext("2d");
ctx.beginPath();
for (let at = 0; at < 6; at++) {
  ctx.save();
  ctx.translate(130, 90);
  ctx.rotate((at * Math.PI) / 3);
  ctx.moveTo(20, 0);
  ctx.lineTo(75, 0);
  ctx.arc(75, 0, 8, Math.PI, Math.PI * 3);
  ctx.restore();
}
ctx.save();
ctx.scale(3, 1);
ctx.lineWidth = 3;
ctx.strokeStyle = "#0369a1";
ctx.stroke();
ctx.restore();
ctx.fillStyle = "rgba(251, 191, 36, 0.6)";
ctx.fill();
return await surface.toBytes();
