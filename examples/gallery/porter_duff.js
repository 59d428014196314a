// The eleven ways of Porter and Duff: a blue disc after a red square
const modes = ["source-over", "source-in", "source-out", "source-atop", "destination-over", "destination-in",
  "destination-out", "destination-atop", "lighter", "copy", "xor"];
const surface = createCanvas(330, 240);
const ctx = surface.getContext("2d");
modes.forEach((mode, at) => {
  ctx.save();
  ctx.translate(10 + (at % 4) * 80, 10 + Math.floor(at / 4) * 76);
  ctx.beginPath();
  ctx.rect(0, 0, 70, 66);
  ctx.clip();
  ctx.fillStyle = "rgba(220, 38, 38, 0.9)";
  ctx.fillRect(5, 5, 40, 40);
  ctx.globalCompositeOperation = mode;
  ctx.fillStyle = "rgba(37, 99, 235, 0.9)";
  ctx.beginPath();
  ctx.arc(42, 40, 22, 0, Math.PI * 2);
  ctx.fill();
  ctx.restore();
});
return await surface.toBytes();
