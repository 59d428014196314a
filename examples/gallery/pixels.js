// Pixels written one by one, and read back and turned upside down
const surface = createCanvas(260, 140);
const ctx = surface.getContext("2d");
const made = ctx.createImageData(100, 100);
for (let y = 0; y < 100; y++)
  for (let x = 0; x < 100; x++) {
    const at = (y * 100 + x) * 4;
    made.data[at] = x * 2.5;
    made.data[at + 1] = y * 2.5;
    made.data[at + 2] = (x ^ y) * 2;
    made.data[at + 3] = 255;
  }
ctx.putImageData(made, 20, 20);
ctx.fillStyle = "white";
ctx.font = "bold 30px Arimo";
ctx.fillText("Ab", 40, 80);
const read = ctx.getImageData(20, 20, 100, 100);
const turned = ctx.createImageData(100, 100);
for (let y = 0; y < 100; y++)
  for (let x = 0; x < 400; x++) turned.data[(99 - y) * 400 + x] = read.data[y * 400 + x];
ctx.putImageData(turned, 140, 20);
return await surface.toBytes();
