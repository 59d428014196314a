// ends: timeout
// powers: image
// limits: timeout_ms=700
const big = await image.blank(5000, 5000, { color: "red" });
for (;;) await image.adjust(big, { blur: 200, opacity: 0.9 });
