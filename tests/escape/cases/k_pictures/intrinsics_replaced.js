// ends: value [3, "sandbox://media/1"]
// powers: image
Uint8Array.prototype.slice = Array.isArray = ArrayBuffer.isView = Object.defineProperty = Object.keys = () => { throw 1; };
Object.prototype.uri = 7;
const h = await image.blank(3, 3);
return [(await image.info(h)).width, h.uri];
