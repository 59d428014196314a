// Every alignment and every baseline, against a line
const surface = createCanvas(420, 240);
const ctx = surface.getContext("2d");
ctx.fillStyle = "#fff";
ctx.fillRect(0, 0, 420, 240);
ctx.strokeStyle = "#f43f5e";
ctx.beginPath();
ctx.moveTo(110.5, 8);
ctx.lineTo(110.5, 132);
ctx.moveTo(10, 180.5);
ctx.lineTo(410, 180.5);
ctx.stroke();
ctx.fillStyle = "#111";
ctx.font = "16px Arimo";
["left", "center", "right", "start", "end"].forEach((align, at) => {
  ctx.textAlign = align;
  ctx.fillText(`${align} Ag`, 110, 26 + at * 24);
});
ctx.textAlign = "left";
["top", "hanging", "middle", "alphabetic", "ideographic", "bottom"].forEach((baseline, at) => {
  ctx.textBaseline = baseline;
  ctx.font = "13px Arimo";
  ctx.fillText(`${baseline.slice(0, 6)}g`, 14 + at * 66, 180);
});
ctx.textBaseline = "alphabetic";
ctx.font = "15px 'Source Serif 4'";
ctx.fillText("narrowed to fit a hundred", 220, 40, 100);
ctx.font = "italic bold 22px Arimo";
ctx.strokeStyle = "#2563eb";
ctx.strokeText("Outlined", 220, 80);
ctx.letterSpacing = "3px";
ctx.font = "13px 'Roboto Mono'";
ctx.fillText("letters apart", 220, 110);
return await surface.toBytes();
