// `image.*`: pictures in, pictures out. The work is done in a worker process of the run; here is what makes
// bytes of whatever a program calls bytes, and an object of what the host calls a picture.
(function (global, native, kit) {
  "use strict";

  const { ArrayBuffer, Error, Object, Uint8Array } = global;
  const { defineProperty, keys } = Object;
  const { isView } = ArrayBuffer;
  const { isArray } = global.Array;
  const { call, callSync } = native;

  const MAX_IMAGE_INPUT_BYTES = 26214400;

  // A picture that a program passes: bytes as they are, a handle as its uri, an array of numbers as bytes.
  const source = (op, value, mostBytes = MAX_IMAGE_INPUT_BYTES) => {
    if (value === null || typeof value !== "object" || isView(value) || value instanceof ArrayBuffer) return value;
    const { uri, length } = value;
    if (typeof uri === "string") return { uri };
    if (typeof length !== "number") return value;
    if (length > mostBytes) throw new Error(op + ": image exceeds the " + mostBytes + " byte limit");
    const bytes = new Uint8Array(length > 0 ? length : 0);
    for (let i = 0; i < bytes.length; i++) bytes[i] = value[i];
    return bytes;
  };

  // What the host calls a picture becomes a handle. Its bytes are made when somebody asks how many they are.
  const handle = (bridge, answer) => {
    if (answer === null || typeof answer !== "object" || isView(answer)) return answer;
    const { uri, mimeType, width, height } = answer;
    const made = { uri, mimeType, byteLength: undefined, width, height };
    const settle = (value) => defineProperty(made, "byteLength", { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    defineProperty(made, "byteLength", {
      __proto__: null,
      get() {
        const length = callSync(bridge, "byteLength", { uri });
        settle(length);
        return length;
      },
      set: settle,
      enumerable: true,
      configurable: true,
    });
    return made;
  };

  kit.image = { source, handle };

  const image = {};
  const members = {
    async info(picture) {
      return await call("image", "info", source("image.info", picture));
    },
    async open(picture) {
      return handle("image", await call("image", "open", source("image.open", picture)));
    },
    async bytes(picture) {
      return await call("image", "bytes", source("image.bytes", picture));
    },
    async release(picture) {
      return await call("image", "release", source("image.release", picture));
    },
    async stats(picture) {
      return await call("image", "stats", source("image.stats", picture));
    },
    async decode(picture) {
      return await call("image", "decode", source("image.decode", picture));
    },
    async encode(pixels, options) {
      const { width, height, pixels: rgba } = pixels ?? {};
      const given = { width, height, pixels: source("image.encode", rgba, 4 * 33554432) };
      return handle("image", await call("image", "encode", given, options));
    },
    async rotate(picture, degrees, options) {
      return handle("image", await call("image", "rotate", source("image.rotate", picture), degrees, options));
    },
    async blank(width, height, options) {
      return handle("image", await call("image", "blank", width, height, options));
    },
    async composite(picture, layers, options) {
      const op = "image.composite";
      const base = source(op, picture);
      if (isArray(layers)) {
        const list = [];
        for (let i = 0; i < layers.length && i <= 64; i++) {
          const layer = layers[i];
          list[i] = layer !== null && typeof layer === "object" ? { ...layer, image: source(op, layer.image) } : layer;
        }
        layers = list;
      }
      return handle("image", await call("image", "composite", base, layers, options));
    },
    async grid(pictures, options) {
      if (isArray(pictures)) {
        const list = [];
        for (let i = 0; i < pictures.length && i <= 64; i++) list[i] = source("image.grid", pictures[i]);
        pictures = list;
      }
      return handle("image", await call("image", "grid", pictures, options));
    },
  };
  for (const name of ["resize", "crop", "flip", "adjust", "convert", "pad"]) {
    const op = "image." + name;
    const { [name]: method } = {
      async [name](picture, options) {
        return handle("image", await call("image", name, source(op, picture), options));
      },
    };
    members[name] = method;
  }
  for (const name of keys(members)) defineProperty(image, name, { value: members[name], writable: true, enumerable: true, configurable: true });

  kit.power("image", { image });
})
