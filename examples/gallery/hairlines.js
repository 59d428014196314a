// Thin lines at every angle and at fractions of a pixel
const surface = createCanvas(260, 150);
const ctx = surface.getContext("2d");
for (let at = 0; at < 36; at++) {
  ctx.beginPath();
  ctx.moveTo(70, 75);
  ctx.lineTo(70 + 60 * Math.cos((at * Math.PI) / 18), 75 + 60 * Math.sin((at * Math.PI) / 18));
  ctx.stroke();
}
for (let at = 0; at < 10; at++) {
  ctx.lineWidth = 0.2 + at * 0.2;
  ctx.strokeRect(150 + at * 3.3, 15 + at * 3.1, 95 - at * 6.6, 120 - at * 6.2);
}
return await surface.toBytes();
