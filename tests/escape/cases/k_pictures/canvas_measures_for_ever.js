// ends: timeout
// powers: canvas
// limits: timeout_ms=900
const ctx = createCanvas(1, 1).getContext("2d");
for (let n = 0; ; n++) { ctx.font = `${n % 4000}px Arimo`; ctx.measureText("W".repeat(1000) + n); }
