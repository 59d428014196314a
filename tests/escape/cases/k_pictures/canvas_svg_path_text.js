// ends: value | timeout
// powers: canvas
// limits: timeout_ms=2000
const surface = createCanvas(10, 10), ctx = surface.getContext("2d");
for (const text of ["M" + "0 ".repeat(1e5), "M0 0" + "a1 1 0 01 1 1".repeat(500), "m".repeat(1e5), "M0 0" + "1e999 ".repeat(1000), " ".repeat(1e6) + "M", "M0 0C" + ",".repeat(1e6), "M0 0Z" + "Z".repeat(1e4), "\0", "M0 0L" + "9".repeat(1e6)]) ctx.fill(new Path2D(text));
try { return (await surface.toBytes()).length; } catch (e) { return e.message; }
