// One tile as four patterns
const tile = fromBase64("iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAAPklEQVR4nGP8dUZ0i/b0a94MULD9sDUDMmBClsQGmPBJYii4mqm1FV0B4x01tf/IAp62RymwgmQFVzO1tgIAzVIPxa2Hd3wAAAAASUVORK5CYII=");
const surface = createCanvas(300, 170);
const ctx = surface.getContext("2d");
ctx.imageSmoothingEnabled = false;
["repeat", "repeat-x", "repeat-y", "no-repeat"].forEach((repetition, at) => {
  ctx.save();
  ctx.translate(10 + (at % 2) * 145, 10 + Math.floor(at / 2) * 80);
  ctx.fillStyle = ctx.createPattern(tile, repetition);
  ctx.fillRect(0, 0, 135, 70);
  ctx.strokeStyle = "#9ca3af";
  ctx.strokeRect(0.5, 0.5, 134, 69);
  ctx.restore();
});
return await surface.toBytes();
