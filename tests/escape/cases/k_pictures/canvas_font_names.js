// ends: value "1"
// powers: canvas
// Whatever a font is called, it is a name in a table: all of these are the sans serif one.
const fonts = ["x".repeat(1e6), "20px ../x.ttf", "20px 'file:///etc/hostname'", "20px \"/usr/share/fonts/x.ttf\"", "20px url(http://localhost/x.ttf)", "20px \\2e\\2e/x", "20px __proto__", "20px constructor", "20px sans-serif, " + "a,".repeat(1000) + "b"];
const widths = new Set();
for (const font of ["20px nothing-of-that-name", "20px '../x.ttf'", "20px '/etc/hostname'", "20px __proto__", "20px constructor"]) widths.add((await canvas.measureText("abc", font)).width);
for (const font of fonts) await canvas.measureText("abc", font);
return String(widths.size);
