// ends: value | timeout
// powers: canvas
// limits: timeout_ms=2000
// A dash of next to nothing along a line that is very long.
const surface = createCanvas(100, 100), ctx = surface.getContext("2d");
ctx.setLineDash([1e-7, 1e-7]);
ctx.lineWidth = 1e6;
for (let i = 0; i < 200; i++) { ctx.beginPath(); ctx.moveTo(-1e7, i); ctx.lineTo(1e7, i); ctx.stroke(); }
return (await surface.toBytes()).length;
