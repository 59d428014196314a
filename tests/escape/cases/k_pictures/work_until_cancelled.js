// ends: cancelled
// powers: image
// limits: timeout_ms=30000
// cancel: 400
const big = await image.blank(5000, 5000, { color: "red" });
for (;;) await image.composite(big, [{ image: big, blendMode: "luminosity" }]);
