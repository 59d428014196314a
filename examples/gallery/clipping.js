// Clips within clips, undone by restore
const surface = createCanvas(300, 180);
const ctx = surface.getContext("2d");
const stripes = (first, second) => {
  for (let x = 0; x < 300; x += 12) {
    ctx.fillStyle = (x / 12) % 2 ? first : second;
    ctx.fillRect(x, 0, 12, 180);
  }
};
ctx.save();
ctx.beginPath();
ctx.arc(90, 90, 75, 0, 7);
ctx.clip();
stripes("#fca5a5", "#7f1d1d");
ctx.beginPath();
ctx.rect(60, 60, 180, 60);
ctx.clip();
stripes("#93c5fd", "#1e3a8a");
ctx.restore();
ctx.save();
ctx.beginPath();
ctx.rect(190, 20, 90, 140);
ctx.rect(210, 40, 50, 100);
ctx.clip("evenodd");
stripes("#86efac", "#14532d");
ctx.restore();
ctx.strokeRect(5.5, 5.5, 289, 169);
return await surface.toBytes();
