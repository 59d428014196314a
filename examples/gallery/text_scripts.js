// Latin with marks, Greek, Cyrillic, Hebrew, and both directions in one line
const surface = createCanvas(380, 180);
const ctx = surface.getContext("2d");
ctx.font = "20px Arimo";
ctx.fillText("Żółć, ångström, naïve", 10, 30);
ctx.fillText("Ελληνικά αβγδ", 10, 62);
ctx.fillText("Кириллица щъ", 200, 62);
ctx.fillText("שלום עולם", 10, 94);
ctx.fillText("one שתיים three", 200, 94);
ctx.direction = "rtl";
ctx.textAlign = "start";
ctx.fillText("שלום, world!", 370, 130);
ctx.direction = "ltr";
ctx.fillText("a\tb\nc  d", 10, 162);
return await surface.toBytes();
