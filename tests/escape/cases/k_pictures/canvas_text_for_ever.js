// ends: timeout
// powers: canvas
// limits: timeout_ms=900
// 10000 operations, each a text that is thousands of pixels wide.
const surface = createCanvas(8192, 4096), ctx = surface.getContext("2d");
ctx.font = "4000px Arimo";
ctx.shadowBlur = 200;
ctx.shadowColor = "red";
const text = "W".repeat(2000);
for (let i = 0; i < 9990; i++) ctx.strokeText(text, -i * 3, 4000);
return (await surface.toBytes()).length;
