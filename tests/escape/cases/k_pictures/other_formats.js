// ends: value "unknown"
// powers: image
const seen = new Set();
for (const magic of ["49492a0008000000", "4d4d002a00000008", "252150532d41646f6265", "38425053000100000000", "69636e730000001000", "53494d504c4520203d", "0000010001001010", "5036203120312032353520", "0000000c6a5020200d0a870a", "0a050108", "255044462d312e34", "1f8b0800", "504b0304", "44445320", "76312e30", "6d6f6f76"])
  try { await image.decode(fromHex(magic.padEnd(200, "00"))); return magic; } catch (e) { seen.add(/\((\w+)\)/.exec(e.message)[1]); }
return [...seen].join();
