// ends: value "image.resize: 16384x16384 exceeds the 33554432 pixel limit"
// powers: image
// rss: 64
const one = await image.blank(1, 1);
try { return await image.resize(one, { width: 16384, height: 16384 }); } catch (e) { return e.message; }
