// ends: value "image.info: no edge may exceed 16384 pixels"
// powers: image
// rss: 64
// A header that promises 65535x65535 pixels, and 100 bytes of data.
const png = fromHex("89504e470d0a1a0a0000000d49484452" + "0000ffff0000ffff" + "0802000000" + "00000000" + "00000064494441549c".padEnd(216, "00"));
const seen = new Set();
for (const name of ["info", "decode", "stats", "flip", "convert", "open"]) {
  try { await image[name](png); return name; } catch (e) { seen.add(e.message.replace(name, "info")); }
}
return [...seen].join();
