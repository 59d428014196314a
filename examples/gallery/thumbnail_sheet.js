// image: six pictures of different sizes, each cut to a square with a frame, side by side
const palette = ["#ef4444", "#f59e0b", "#10b981", "#3b82f6", "#8b5cf6", "#ec4899"];
const ink = await image.blank(60, 60, { color: "#1e3a8a" });
const thumbs = [];
for (let at = 0; at < palette.length; at++) {
  let picture = await image.blank(160 + at * 20, 200 - at * 15, { color: palette[at] });
  const dot = await image.blank(60, 60, { color: "rgb(255 255 255 / 70%)" });
  picture = await image.composite(picture, [
    { image: dot, x: 20 + at * 10, y: 30 },
    { image: await image.rotate(ink, 45), x: 60, y: 70, blendMode: "multiply", opacity: 0.6 },
  ]);
  picture = await image.resize(picture, { width: 96, height: 96, fit: "cover" });
  if (at % 2) picture = await image.adjust(picture, { sepia: 0.5, contrast: 1.2 });
  thumbs.push(await image.pad(picture, { all: 4, color: "#ffffff" }));
}
const sheet = await image.grid(thumbs, { columns: 3, gap: 10, background: "#d1d5db" });
return await image.bytes(await image.pad(sheet, { all: 10, color: "#d1d5db" }));
