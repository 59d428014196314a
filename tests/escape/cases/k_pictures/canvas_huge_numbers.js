// ends: value
// powers: canvas
// limits: timeout_ms=5000
const surface = createCanvas(50, 50), ctx = surface.getContext("2d");
for (const n of [1e300, -1e300, 3.5e38, 2 ** 31, 1e-320, 1.7e308]) {
  ctx.save();
  ctx.lineWidth = n; ctx.shadowBlur = n; ctx.shadowOffsetX = n; ctx.miterLimit = n; ctx.lineDashOffset = n; ctx.shadowColor = "red";
  ctx.scale(n, n); ctx.translate(n, n); ctx.rotate(n);
  ctx.arc(n, n, Math.abs(n), 0, n); ctx.roundRect(n, n, n, n, Math.abs(n)); ctx.ellipse(n, n, 1, 1, n, n, n); ctx.arcTo(n, 0, 0, n, 5);
  ctx.fill(); ctx.stroke(); ctx.fillText("x", n, n, Math.abs(n)); ctx.fillRect(n, n, n, n); ctx.clip();
  ctx.restore();
}
ctx.fillStyle = ctx.createRadialGradient(1e300, 0, 1e300, -1e300, 0, 1e-300).addColorStop(0, "red").addColorStop(1, "blue");
ctx.fillRect(0, 0, 50, 50);
return (await surface.toBytes()).length;
