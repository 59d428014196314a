// Holes by clearRect, also under a transformation, and nested states
const surface = createCanvas(260, 160);
const ctx = surface.getContext("2d");
ctx.fillStyle = "#155e75";
ctx.fillRect(10, 10, 240, 140);
ctx.clearRect(30, 30, 60, 40);
ctx.save();
ctx.fillStyle = "#facc15";
ctx.translate(160, 80);
ctx.rotate(0.5);
ctx.save();
ctx.scale(2, 1);
ctx.clearRect(-20, -20, 40, 40);
ctx.restore();
ctx.fillRect(-10, -10, 20, 20);
ctx.restore();
ctx.restore();
ctx.fillRect(110, 120, 20, 40);
return await surface.toBytes();
