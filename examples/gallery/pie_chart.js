// Shares of a whole, with a hole in the middle
const shares = [["Wind", 38, "#0ea5e9"], ["Sun", 27, "#facc15"], ["Water", 21, "#14b8a6"], ["Other", 14, "#94a3b8"]];
const surface = createCanvas(340, 200);
const ctx = surface.getContext("2d");
let from = -Math.PI / 2;
ctx.font = "13px Arimo";
ctx.textBaseline = "middle";
shares.forEach(([name, share, color], at) => {
  const to = from + (share / 100) * Math.PI * 2;
  ctx.fillStyle = color;
  ctx.beginPath();
  ctx.arc(100, 100, 80, from, to);
  ctx.arc(100, 100, 45, to, from, true);
  ctx.closePath();
  ctx.fill();
  ctx.strokeStyle = "white";
  ctx.lineWidth = 2;
  ctx.stroke();
  ctx.fillRect(210, 48 + at * 28, 16, 16);
  ctx.fillStyle = "#0f172a";
  ctx.fillText(`${name} ${share} %`, 236, 57 + at * 28);
  from = to;
});
return await surface.toBytes();
