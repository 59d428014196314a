// Linear, radial and conic gradients, and what lies beyond their ends
const surface = createCanvas(420, 220);
const ctx = surface.getContext("2d");
const stops = (gradient) => {
  gradient.addColorStop(0, "#f97316");
  gradient.addColorStop(0.5, "rgba(236, 72, 153, 0.6)");
  gradient.addColorStop(1, "#4338ca");
  return gradient;
};
ctx.fillStyle = stops(ctx.createLinearGradient(30, 30, 110, 80));
ctx.fillRect(10, 10, 125, 90);
ctx.fillStyle = stops(ctx.createRadialGradient(205, 55, 5, 215, 55, 45));
ctx.fillRect(145, 10, 125, 90);
ctx.fillStyle = stops(ctx.createConicGradient(Math.PI / 4, 342, 55));
ctx.fillRect(280, 10, 125, 90);
ctx.fillStyle = stops(ctx.createRadialGradient(50, 165, 20, 100, 165, 5));
ctx.fillRect(10, 115, 125, 90);
const sharp = ctx.createLinearGradient(145, 0, 270, 0);
sharp.addColorStop(0.3, "teal");
sharp.addColorStop(0.3, "gold");
sharp.addColorStop(0.7, "gold");
sharp.addColorStop(0.7, "teal");
ctx.fillStyle = sharp;
ctx.fillRect(145, 115, 125, 90);
ctx.strokeStyle = stops(ctx.createLinearGradient(280, 115, 405, 205));
ctx.lineWidth = 14;
ctx.strokeRect(290, 125, 105, 70);
return await surface.toBytes();
