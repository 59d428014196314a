// ends: value "canvas.render: 3000000 operations exceeds the 10000 limit"
// powers: canvas
// limits: timeout_ms=20000
// rss: 64
const surface = createCanvas(10, 10), ctx = surface.getContext("2d");
for (let i = 0; i < 3e6; i++) ctx.rect(i, i, 1, 1);
try { return await surface.toBytes(); } catch (e) { return e.message; }
