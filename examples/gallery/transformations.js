// Moved, turned, scaled, skewed and mirrored squares
const surface = createCanvas(300, 200);
const ctx = surface.getContext("2d");
const square = (color) => {
  ctx.fillStyle = color;
  ctx.fillRect(-20, -20, 40, 40);
  ctx.strokeRect(-20, -20, 40, 40);
};
ctx.lineWidth = 2;
ctx.translate(50, 50);
square("#fde047");
ctx.rotate(Math.PI / 5);
ctx.translate(70, -40);
square("#86efac");
ctx.scale(1.5, 0.6);
ctx.translate(60, -40);
square("#93c5fd");
ctx.setTransform(1, 0.3, -0.5, 1, 80, 130);
square("#f9a8d4");
ctx.resetTransform();
ctx.translate(200, 140);
ctx.scale(-1, 1);
ctx.transform(1, 0.2, 0.4, 1, 0, 0);
square("#c4b5fd");
ctx.setTransform({ a: 0.5, b: 0.5, c: -0.5, d: 0.5, e: 265, f: 150 });
square("#fdba74");
return await surface.toBytes();
