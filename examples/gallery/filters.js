// CSS filter functions on what is drawn
const surface = createCanvas(330, 170);
const ctx = surface.getContext("2d");
const filters = ["none", "blur(3px)", "grayscale(1)", "sepia(80%)", "invert(1)", "hue-rotate(120deg)", "saturate(2.5)",
  "brightness(60%) contrast(1.6)", "opacity(0.4)", "drop-shadow(4px 4px 2px #000)"];
filters.forEach((filter, at) => {
  ctx.filter = filter;
  const x = 10 + (at % 5) * 64, y = 10 + Math.floor(at / 5) * 80;
  const paint = ctx.createLinearGradient(x, y, x + 50, y + 60);
  paint.addColorStop(0, "#f43f5e");
  paint.addColorStop(1, "#0ea5e9");
  ctx.fillStyle = paint;
  ctx.beginPath();
  ctx.roundRect(x, y, 50, 60, 12);
  ctx.fill();
});
return await surface.toBytes();
