// ends: value [2, 2]
// powers: image
const mine = await image.blank(2, 2, { color: "red" });
const lie = { uri: mine.uri, width: 1e9, height: -1, byteLength: 2 ** 53, mimeType: "text/html" };
const seen = await image.decode(lie);
return [seen.width, seen.height];
