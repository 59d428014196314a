// ends: value []
// powers: image canvas
// limits: timeout_ms=30000 memory_limit_bytes=536870912
const told = [];
const zeros = (name, bytes) => {
  if (bytes.some((byte) => byte !== 0)) told.push(name);
};
zeros("array", new Uint8Array(5e7));
zeros("buffer", new Uint8Array(new ArrayBuffer(5e7)));
zeros("transferred", new Uint8Array(new ArrayBuffer(10).transfer(5e6)));
const growing = new ArrayBuffer(1e6, { maxByteLength: 2e6 });
new Uint8Array(growing).fill(7);
growing.resize(10);
growing.resize(2e6);
zeros("resized", new Uint8Array(growing, 10));
zeros("slice", new Uint8Array(new Uint8Array(3e6).buffer.slice(1e6)));
zeros("random of none", crypto.getRandomValues(0));
zeros("decoded", new TextEncoder().encode("\0".repeat(1e5)));
const surface = createCanvas(300, 200);
zeros("canvas before drawing", surface.getContext("2d").getImageData(0, 0, 300, 200).data);
zeros("image data", new ImageData(64, 64).data);
zeros("surface", (await image.decode(await surface.toBytes())).pixels);
zeros("blank", (await image.decode(await image.blank(256, 256))).pixels);

// a picture whose rows are missing: refused, or what is missing is nothing
const whole = await image.encode({ width: 64, height: 64, pixels: new Uint8Array(64 * 64 * 4) });
for (const part of [0.3, 0.6, 0.9]) {
  const pixels = await image.decode(whole.slice(0, whole.length * part)).then((picture) => picture.pixels, () => []);
  zeros("cut at " + part, new Uint8Array(pixels));
}
return told;
