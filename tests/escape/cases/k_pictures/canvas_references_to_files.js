// ends: value [0, 0, 0, 0]
// powers: canvas
// No file and no address is opened for a filter, a colour or a font.
const surface = createCanvas(4, 4), ctx = surface.getContext("2d");
ctx.filter = "url(file:///etc/hostname#a)";
ctx.fillStyle = "url(http://localhost/)";
ctx.fillStyle = "transparent";
ctx.shadowColor = "image(/etc/hostname)";
ctx.fillRect(0, 0, 4, 4);
return [...ctx.getImageData(0, 0, 1, 1).data];
