// ends: timeout
// powers: image
// limits: timeout_ms=700
// A synchronous question behind work that takes longer than the run.
const big = await image.blank(5700, 5700, { color: "red" });
for (let i = 0; i < 20; i++) image.adjust(big, { blur: 300, opacity: 0.9 });
const late = await image.blank(10, 10);
return late.byteLength;
