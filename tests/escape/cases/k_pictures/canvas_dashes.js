// ends: value "setLineDash: at most 1000 segments"
// powers: canvas
const ctx = createCanvas(10, 10).getContext("2d");
try { ctx.setLineDash(Array(1e6).fill(1)); } catch (e) { return e.message; }
