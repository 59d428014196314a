// Orders a month, as bars over a grid with labels
const rows = [["Jan", 42], ["Feb", 55], ["Mar", 71], ["Apr", 64], ["May", 88], ["Jun", 97]];
const surface = createCanvas(420, 260);
const ctx = surface.getContext("2d");
ctx.fillStyle = "#ffffff";
ctx.fillRect(0, 0, 420, 260);
ctx.font = "bold 15px Arimo";
ctx.fillStyle = "#1f2937";
ctx.fillText("Orders a month", 20, 28);
ctx.font = "11px Arimo";
ctx.textAlign = "right";
ctx.textBaseline = "middle";
for (let value = 0; value <= 100; value += 25) {
  const y = 220 - value * 1.6;
  ctx.strokeStyle = value ? "#e5e7eb" : "#6b7280";
  ctx.beginPath();
  ctx.moveTo(50, y + 0.5);
  ctx.lineTo(400, y + 0.5);
  ctx.stroke();
  ctx.fillStyle = "#6b7280";
  ctx.fillText(String(value), 44, y);
}
ctx.textAlign = "center";
ctx.textBaseline = "alphabetic";
rows.forEach(([month, value], at) => {
  const x = 64 + at * 57;
  const bar = ctx.createLinearGradient(0, 220 - value * 1.6, 0, 220);
  bar.addColorStop(0, "#2563eb");
  bar.addColorStop(1, "#93c5fd");
  ctx.fillStyle = bar;
  ctx.beginPath();
  ctx.roundRect(x, 220 - value * 1.6, 36, value * 1.6, [5, 5, 0, 0]);
  ctx.fill();
  ctx.fillStyle = "#1f2937";
  ctx.fillText(month, x + 18, 238);
  ctx.fillText(String(value), x + 18, 214 - value * 1.6);
});
return await surface.toBytes();
