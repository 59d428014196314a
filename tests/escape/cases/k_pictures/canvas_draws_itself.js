// ends: value "drawImage: the image must be encoded bytes or a handle; a surface is drawn with what its toBytes() gives"
// powers: canvas
const surface = createCanvas(4, 4), ctx = surface.getContext("2d");
try { for (;;) ctx.drawImage(surface, 0, 0); } catch (e) { return e.message; }
