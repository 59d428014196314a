// ends: value "image.decode: could not decode the image (png) — the data ends too early"
// powers: image
// Memory that no row was written to must not be seen.
const png = await image.bytes(await image.blank(600, 600, { color: "#123456" }));
const cut = new Uint8Array([...png.slice(0, png.length - 200)]);
try { return (await image.decode(cut)).pixels.some((x) => x !== 0); } catch (e) { return e.message; }
