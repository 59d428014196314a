// Visits by weekday and hour, as a heat map with a scale
const surface = createCanvas(420, 200);
const ctx = surface.getContext("2d");
ctx.fillStyle = "white";
ctx.fillRect(0, 0, 420, 200);
ctx.font = "10px Arimo";
ctx.textBaseline = "middle";
const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
for (let day = 0; day < 7; day++) {
  ctx.fillStyle = "#374151";
  ctx.fillText(days[day], 10, 29 + day * 18);
  for (let hour = 0; hour < 24; hour++) {
    const heat = Math.abs(Math.sin(hour / 4 + day) * Math.cos(day / 3 + hour / 9));
    ctx.fillStyle = `hsl(${240 - heat * 240} 80% 55%)`;
    ctx.fillRect(40 + hour * 15, 20 + day * 18, 14, 17);
  }
}
const scale = ctx.createLinearGradient(40, 0, 240, 0);
for (let at = 0; at <= 4; at++) scale.addColorStop(at / 4, `hsl(${240 - at * 60} 80% 55%)`);
ctx.fillStyle = scale;
ctx.fillRect(40, 160, 200, 10);
ctx.fillStyle = "#374151";
ctx.fillText("few", 40, 182);
ctx.textAlign = "right";
ctx.fillText("many", 240, 182);
return await surface.toBytes();
