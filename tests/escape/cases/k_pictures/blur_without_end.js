// ends: value "image.adjust: blur may be at most 512 pixels"
// powers: image
try { return await image.adjust(await image.blank(10, 10), { blur: 1e6 }); } catch (e) { return e.message; }
