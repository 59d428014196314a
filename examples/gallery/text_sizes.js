// The three families that come with it, from small to large, upright and slanted
const surface = createCanvas(420, 250);
const ctx = surface.getContext("2d");
ctx.fillStyle = "#fff";
ctx.fillRect(0, 0, 420, 250);
ctx.fillStyle = "#111827";
let y = 22;
for (const size of [10, 14, 20, 30]) {
  ctx.font = `${size}px Arimo`;
  ctx.fillText("Quick Wäxy", 10, y);
  ctx.font = `italic ${size}px "Source Serif 4"`;
  ctx.fillText("office AVA", 180, y);
  ctx.font = `${size - 2}px 'Roboto Mono'`;
  ctx.fillText("0O1lI", 330, y);
  y += size * 1.7;
}
ctx.font = "bold 44px Arimo";
ctx.fillText("Bold 600€", 10, 190);
ctx.font = "300 26px 'Source Serif 4'";
ctx.fillText("Light and thin", 10, 230);
return await surface.toBytes();
