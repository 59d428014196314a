// roundRect with every way to say its radii
const surface = createCanvas(320, 170);
const ctx = surface.getContext("2d");
ctx.fillStyle = "#a5b4fc";
ctx.strokeStyle = "#3730a3";
ctx.lineWidth = 2;
const radii = [0, 12, [20], [4, 24], [4, 16, 30], [2, 8, 16, 30], [{ x: 30, y: 10 }], 200];
radii.forEach((radius, at) => {
  ctx.beginPath();
  ctx.roundRect(12 + (at % 4) * 76, 12 + Math.floor(at / 4) * 76, 66, 60, radius);
  ctx.fill();
  ctx.stroke();
});
return await surface.toBytes();
