// A star and a ring by both rules
const surface = createCanvas(300, 160);
const ctx = surface.getContext("2d");
const star = (x) => {
  ctx.beginPath();
  for (let at = 0; at < 5; at++) ctx.lineTo(x + 60 * Math.sin((at * 4 * Math.PI) / 5), 80 - 60 * Math.cos((at * 4 * Math.PI) / 5));
  ctx.closePath();
};
ctx.fillStyle = "#b45309";
star(75);
ctx.fill("evenodd");
star(215);
ctx.fill();
ctx.fillStyle = "rgba(30, 64, 175, 0.5)";
ctx.beginPath();
ctx.rect(110, 50, 60, 60);
ctx.rect(125, 65, 30, 30);
ctx.fill("evenodd");
return await surface.toBytes();
