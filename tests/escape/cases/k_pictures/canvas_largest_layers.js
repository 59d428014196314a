// ends: value /out of memory|worker ended/ | timeout | value
// powers: canvas
// limits: timeout_ms=3000
// rss: 64
const surface = createCanvas(16384, 2048), ctx = surface.getContext("2d");
ctx.filter = "blur(500px) ".repeat(50);
ctx.shadowBlur = 500; ctx.shadowColor = "red";
for (let i = 0; i < 100; i++) { ctx.save(); ctx.fillRect(0, 0, 16384, 2048); }
try { return String((await surface.toBytes()).length); } catch (e) { return e.message; }
