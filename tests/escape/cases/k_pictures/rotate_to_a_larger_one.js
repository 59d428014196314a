// ends: value "image.rotate: no edge may exceed 16384 pixels"
// powers: image
try { return await image.rotate(await image.blank(16384, 2048), 5); } catch (e) { return e.message; }
