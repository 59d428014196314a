// ends: value "image.info: image exceeds the 26214400 byte limit"
// powers: image
try { return await image.info({ length: 2 ** 53 - 1 }); } catch (e) { return e.message; }
