// Two series with points, an area below one, a dashed mean
const surface = createCanvas(360, 200);
const ctx = surface.getContext("2d");
ctx.fillStyle = "#0f172a";
ctx.fillRect(0, 0, 360, 200);
const series = (shift) => Array.from({ length: 12 }, (_, at) => 100 + 50 * Math.sin(at / 2 + shift) - at * 2);
const trace = (values) => {
  ctx.beginPath();
  values.forEach((value, at) => ctx.lineTo(20 + at * 29, value));
};
const area = ctx.createLinearGradient(0, 40, 0, 190);
area.addColorStop(0, "rgba(56, 189, 248, 0.6)");
area.addColorStop(1, "rgba(56, 189, 248, 0)");
trace(series(0));
ctx.lineTo(20 + 11 * 29, 190);
ctx.lineTo(20, 190);
ctx.fillStyle = area;
ctx.fill();
ctx.lineJoin = "round";
ctx.lineWidth = 3;
[["#38bdf8", 0], ["#fb7185", 2]].forEach(([color, shift]) => {
  ctx.strokeStyle = color;
  trace(series(shift));
  ctx.stroke();
  ctx.fillStyle = color;
  series(shift).forEach((value, at) => {
    ctx.beginPath();
    ctx.arc(20 + at * 29, value, 4, 0, 7);
    ctx.fill();
  });
});
ctx.setLineDash([4, 4]);
ctx.lineWidth = 1;
ctx.strokeStyle = "#e2e8f0";
ctx.beginPath();
ctx.moveTo(20, 95.5);
ctx.lineTo(340, 95.5);
ctx.stroke();
return await surface.toBytes();
