// ends: timeout
// powers: canvas
// limits: timeout_ms=900
const ctx = createCanvas(2000, 2000).getContext("2d");
for (;;) { ctx.fillRect(0, 0, 1, 1); ctx.getImageData(0, 0, 2000, 2000); }
