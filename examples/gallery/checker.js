// Many small squares, some turned, edges on and between pixels
const surface = createCanvas(240, 160);
const ctx = surface.getContext("2d");
for (let row = 0; row < 8; row++)
  for (let column = 0; column < 12; column++) {
    ctx.fillStyle = (row + column) % 2 ? `rgb(${column * 20} ${row * 30} 120)` : `rgb(240 ${200 - row * 10} ${column * 15})`;
    ctx.save();
    ctx.translate(column * 20 + 10, row * 20 + 10);
    if (column > 5) ctx.rotate((row * Math.PI) / 16);
    ctx.fillRect(-9 + (row % 3) / 3, -9, 18, 18);
    ctx.restore();
  }
return await surface.toBytes();
