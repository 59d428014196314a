// ends: value "image.stats: the image has more than 1000 frames"
// powers: image
const frame = "2c00000000010001000002024401" + "00";
const gif = fromHex("474946383961" + "01000100800000" + "ff0000000000" + frame.repeat(100000) + "3b");
try { return await image.stats(gif); } catch (e) { return e.message; }
