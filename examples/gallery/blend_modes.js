// The fifteen blend modes: a disc on a striped card
const modes = ["multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn", "hard-light",
  "soft-light", "difference", "exclusion", "hue", "saturation", "color", "luminosity"];
const surface = createCanvas(410, 250);
const ctx = surface.getContext("2d");
ctx.fillStyle = "white";
ctx.fillRect(0, 0, 410, 250);
modes.forEach((mode, at) => {
  ctx.save();
  ctx.translate(10 + (at % 5) * 80, 10 + Math.floor(at / 5) * 80);
  ["#f87171", "#fbbf24", "#34d399", "#60a5fa"].forEach((color, stripe) => {
    ctx.fillStyle = color;
    ctx.fillRect(0, stripe * 17, 70, 17);
  });
  ctx.globalCompositeOperation = mode;
  const disc = ctx.createLinearGradient(10, 0, 60, 0);
  disc.addColorStop(0, "#1e3a8a");
  disc.addColorStop(1, "#fde68a");
  ctx.fillStyle = disc;
  ctx.beginPath();
  ctx.arc(35, 34, 26, 0, 7);
  ctx.fill();
  ctx.restore();
});
return await surface.toBytes();
