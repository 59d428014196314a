// Half transparent discs over each other, and globalAlpha
const surface = createCanvas(260, 170);
const ctx = surface.getContext("2d");
[["rgb(255 0 0 / 50%)", 90, 60], ["rgba(0, 255, 0, .5)", 130, 60], ["#0000ff80", 110, 95]].forEach(([color, x, y]) => {
  ctx.fillStyle = color;
  ctx.beginPath();
  ctx.arc(x, y, 42, 0, 7);
  ctx.fill();
});
ctx.fillStyle = "hsl(280 70% 40%)";
for (let at = 0; at < 8; at++) {
  ctx.globalAlpha = (at + 1) / 8;
  ctx.fillRect(10 + at * 30, 145, 24, 18);
}
return await surface.toBytes();
