// ends: value "image.resize: no edge may exceed 16384 pixels"
// powers: image
const line = await image.blank(1, 1000);
try { return await image.resize(line, { width: 10000 }); } catch (e) { return e.message; }
