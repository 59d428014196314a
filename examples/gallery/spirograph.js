// A thousand short lines, each of another colour
const surface = createCanvas(240, 240);
const ctx = surface.getContext("2d");
ctx.fillStyle = "#020617";
ctx.fillRect(0, 0, 240, 240);
ctx.lineWidth = 1.2;
let x = null, y = null;
for (let at = 0; at <= 1000; at++) {
  const angle = at / 1000 * Math.PI * 14;
  const nextX = 120 + 70 * Math.cos(angle) + 40 * Math.cos((angle * 17) / 7);
  const nextY = 120 + 70 * Math.sin(angle) - 40 * Math.sin((angle * 17) / 7);
  if (x !== null) {
    ctx.strokeStyle = `hsl(${at * 0.36} 90% 65%)`;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(nextX, nextY);
    ctx.stroke();
  }
  x = nextX;
  y = nextY;
}
return await surface.toBytes();
