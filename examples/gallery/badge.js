// A badge: turned letters on a circle, a star in the middle
const surface = createCanvas(220, 220);
const ctx = surface.getContext("2d");
ctx.translate(110, 110);
ctx.fillStyle = "#7f1d1d";
ctx.beginPath();
ctx.arc(0, 0, 100, 0, 7);
ctx.fill();
ctx.strokeStyle = "#fde68a";
ctx.lineWidth = 3;
ctx.beginPath();
ctx.arc(0, 0, 70, 0, 7);
ctx.stroke();
ctx.fillStyle = "#fde68a";
ctx.font = "bold 18px 'Source Serif 4'";
ctx.textAlign = "center";
const words = "ONE BUFFER · ONE CROSSING · ";
for (let at = 0; at < words.length; at++) {
  ctx.save();
  ctx.rotate((at / words.length) * Math.PI * 2);
  ctx.fillText(words[at], 0, -79);
  ctx.restore();
}
ctx.beginPath();
for (let at = 0; at < 10; at++) {
  const radius = at % 2 ? 22 : 52;
  ctx.lineTo(radius * Math.sin((at * Math.PI) / 5), -radius * Math.cos((at * Math.PI) / 5));
}
ctx.closePath();
ctx.fill();
return await surface.toBytes();
