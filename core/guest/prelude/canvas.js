// The canvas: a 2d context that records. What a program draws is one buffer of numbers and a few tables, and
// crosses once, when the surface is rendered in the run's worker (pictures/canvas/ has the other half).
(function (global, native, kit) {
  "use strict";

  const { Array, ArrayBuffer, Error, Float64Array, Number, Object, RangeError, String, TypeError, Uint8Array, Uint8ClampedArray } = global;
  const { apply } = global.Reflect;
  const { create, defineProperty, getPrototypeOf, keys } = Object;
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const isFinite = Number.isFinite;
  const subarray = getPrototypeOf(Uint8Array.prototype).subarray;
  const setWords = getPrototypeOf(Uint8Array.prototype).set;
  const { exec } = global.RegExp.prototype;
  const bufferOf = Object.getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), "buffer").get;
  const { call, callSync } = native;
  const { bare } = kit;
  const { source, handle } = kit.image;

  const MAX_CANVAS_OPS = 10000;
  const MAX_WORDS = 1 << 21;
  const MAX_DASHES = 1000;
  const MAX_PATH_DEPTH = 16;

  // Name and number of operands of each operation, in the order of OPS in pictures/canvas/recording.py.
  const OPS = [
    ["save", 0], ["restore", 0], ["translate", 2], ["rotate", 1], ["scale", 2], ["transform", 6],
    ["setTransform", 6], ["resetTransform", 0], ["beginPath", 0], ["closePath", 0], ["moveTo", 2], ["lineTo", 2],
    ["bezierCurveTo", 6], ["quadraticCurveTo", 4], ["arc", 6], ["arcTo", 5], ["ellipse", 8], ["rect", 4],
    ["roundRect", 12], ["svgArc", 7], ["addPath", 7], ["fill", 1], ["stroke", 0], ["clip", 1], ["fillPath", 2],
    ["strokePath", 1], ["clipPath", 2], ["fillRect", 4], ["strokeRect", 4], ["clearRect", 4], ["fillText", 3],
    ["fillTextWithin", 4], ["strokeText", 3], ["strokeTextWithin", 4], ["setLineDash", 1], ["drawImage", 3],
    ["drawImageScaled", 5], ["drawImagePart", 9], ["putImageData", 7], ["setNumber", 2], ["setText", 2],
    ["setGradient", 2], ["setPattern", 2],
  ];
  const CODE = create(null);
  for (let i = 0; i < OPS.length; i++) CODE[OPS[i][0]] = i;

  const NUMBERS = ["lineWidth", "miterLimit", "lineDashOffset", "globalAlpha", "imageSmoothingEnabled", "shadowBlur", "shadowOffsetX", "shadowOffsetY"];
  const TEXTS = [
    "fillStyle", "strokeStyle", "lineCap", "lineJoin", "globalCompositeOperation", "filter", "font", "textAlign",
    "textBaseline", "direction", "letterSpacing", "imageSmoothingQuality", "shadowColor",
  ];
  const EVEN_ODD = "evenodd";

  // Lists are joined and cut by hand: a program may have replaced the iterator that `...` asks.
  const joined = (list, ...rest) => {
    const all = bare();
    for (let i = 0; i < list.length; i++) all[i] = list[i];
    for (let i = 0; i < rest.length; i++) all[all.length] = rest[i];
    return all;
  };
  const part = (list, from, to = list.length) => {
    const some = bare();
    for (let i = from; i < to; i++) some[i - from] = list[i];
    return some;
  };

  // --- recordings -------------------------------------------------------------------------

  // words: the operations. values: what was set, so that it can be read; a chain, because save copies it.
  const recording = (width, height) => ({
    width, height, words: new Float64Array(64), used: 0, count: 0, texts: bare(), numberOf: create(null),
    gradients: bare(), patterns: bare(), paths: bare(), images: bare(), values: create(null), saved: 0,
  });

  const reserve = (r, more) => {
    const needed = r.used + more;
    if (needed <= r.words.length) return;
    if (needed > MAX_WORDS) throw new RangeError("canvas: a recording holds at most " + MAX_WORDS + " numbers; render what there is first");
    let size = r.words.length * 2;
    while (size < needed) size *= 2;
    const larger = new Float64Array(size);
    apply(setWords, larger, [r.words]);
    r.words = larger;
  };

  // Whether there is room for one operation more. Above the most they are counted, for the error, and not kept.
  const begins = (r, operands) => {
    if (++r.count > MAX_CANVAS_OPS) return false;
    if (r.used + operands >= r.words.length) reserve(r, operands + 1);
    return true;
  };

  const put0 = (r, code) => {
    if (begins(r, 0)) r.words[r.used++] = code;
  };
  const put1 = (r, code, a) => {
    if (!begins(r, 1)) return;
    const w = r.words, n = r.used;
    w[n] = code; w[n + 1] = a;
    r.used = n + 2;
  };
  const put2 = (r, code, a, b) => {
    if (!begins(r, 2)) return;
    const w = r.words, n = r.used;
    w[n] = code; w[n + 1] = a; w[n + 2] = b;
    r.used = n + 3;
  };
  const put4 = (r, code, a, b, c, d) => {
    if (!begins(r, 4)) return;
    const w = r.words, n = r.used;
    w[n] = code; w[n + 1] = a; w[n + 2] = b; w[n + 3] = c; w[n + 4] = d;
    r.used = n + 5;
  };
  const putAll = (r, code, operands) => {
    const count = operands.length;
    if (!begins(r, count)) return;
    const w = r.words;
    let n = r.used;
    w[n++] = code;
    for (let i = 0; i < count; i++) w[n++] = operands[i];
    r.used = n;
  };

  const textNumber = (r, text) => {
    let number = r.numberOf[text];
    if (number === undefined) {
      number = r.texts.length;
      r.texts[number] = text;
      r.numberOf[text] = number;
    }
    return number;
  };

  // --- paths ------------------------------------------------------------------------------

  const ruleOf = (rule) => (rule === EVEN_ODD ? 1 : 0);

  const oneRadius = (r) => {
    if (typeof r === "object" && r !== null) return [+r.x || 0, +r.y || 0];
    return [+r, +r];
  };
  const eightRadii = (radii) => {
    const given = radii === undefined ? [0] : isArray(radii) ? radii : [radii];
    const n = given.length;
    if (n < 1 || n > 4) throw new RangeError("roundRect: " + n + " radii, not 1 to 4");
    const a = oneRadius(given[0]);
    const b = n > 1 ? oneRadius(given[1]) : a;
    const c = n > 2 ? oneRadius(given[2]) : a;
    const d = n > 3 ? oneRadius(given[3]) : b;
    const all = [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]];
    for (let i = 0; i < 8; i++) if (all[i] < 0) throw new RangeError("roundRect: a radius is negative");
    return all;
  };
  const notNegative = (name, radius) => {
    if (radius < 0) throw new RangeError(name + ": the radius " + radius + " is negative");
  };

  // What contexts and Path2D objects share. `of` finds the recording of an object.
  const pathMethods = (of) => ({
    closePath() { put0(of(this), CODE.closePath); return this; },
    moveTo(x, y) { x = +x; y = +y; put2(of(this), CODE.moveTo, x, y); return this; },
    lineTo(x, y) { x = +x; y = +y; put2(of(this), CODE.lineTo, x, y); return this; },
    bezierCurveTo(a, b, c, d, x, y) { putAll(of(this), CODE.bezierCurveTo, [+a, +b, +c, +d, +x, +y]); return this; },
    quadraticCurveTo(a, b, x, y) { a = +a; b = +b; x = +x; y = +y; put4(of(this), CODE.quadraticCurveTo, a, b, x, y); return this; },
    arc(x, y, radius, from, to, back = false) {
      const all = [+x, +y, +radius, +from, +to, back ? 1 : 0];
      notNegative("arc", all[2]);
      putAll(of(this), CODE.arc, all);
      return this;
    },
    arcTo(a, b, c, d, radius) {
      const all = [+a, +b, +c, +d, +radius];
      notNegative("arcTo", all[4]);
      putAll(of(this), CODE.arcTo, all);
      return this;
    },
    ellipse(x, y, a, b, turn, from, to, back = false) {
      const all = [+x, +y, +a, +b, +turn, +from, +to, back ? 1 : 0];
      notNegative("ellipse", all[2]);
      notNegative("ellipse", all[3]);
      putAll(of(this), CODE.ellipse, all);
      return this;
    },
    rect(x, y, w, h) { x = +x; y = +y; w = +w; h = +h; put4(of(this), CODE.rect, x, y, w, h); return this; },
    roundRect(x, y, w, h, radii) {
      const r = eightRadii(radii);
      putAll(of(this), CODE.roundRect, [+x, +y, +w, +h, r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]]);
      return this;
    },
  });

  const addMethods = (type, methods) => {
    for (const name of keys(methods)) defineProperty(type.prototype, name, { value: methods[name], writable: true, enumerable: true, configurable: true });
  };

  let pathOf;
  let isPath;
  class Path2D {
    #r = recording(0, 0);
    #depth = 0;
    static {
      pathOf = (path) => path.#r;
      isPath = (value) => typeof value === "object" && value !== null && #r in value;
    }
    constructor(from = undefined) {
      if (isPath(from)) this.addPath(from);
      else if (from !== undefined) addSvg(this, "" + from);
    }
    addPath(path, matrix = undefined) {
      if (!isPath(path)) throw new TypeError("addPath: the first argument must be a Path2D");
      const from = path.#r, to = this.#r;
      const words = from.used;
      const m = matrix === undefined ? null : matrixOf(matrix);
      if (m !== null && path.#depth + 1 > MAX_PATH_DEPTH) throw new RangeError("addPath: paths may be nested " + MAX_PATH_DEPTH + " deep");
      if (to.count + from.count > MAX_CANVAS_OPS) {
        to.count += from.count;
        return;
      }
      reserve(to, words + 9);
      if (m !== null) {
        if (path.#depth + 1 > this.#depth) this.#depth = path.#depth + 1;
        putAll(to, CODE.addPath, joined(m, words));
      } else if (path.#depth > this.#depth) this.#depth = path.#depth;
      const copied = path === this ? new Float64Array(from.words) : from.words;
      apply(setWords, to.words, [apply(subarray, copied, [0, words]), to.used]);
      to.used += words;
      to.count += from.count;
    }
  }
  addMethods(Path2D, pathMethods((path) => pathOf(path)));

  const matrixOf = (m) => {
    const { a = m.m11, b = m.m12, c = m.m21, d = m.m22, e = m.m41, f = m.m42 } = m;
    const or = (value, otherwise) => (value === undefined ? otherwise : +value);
    return [or(a, 1), or(b, 0), or(c, 0), or(d, 1), or(e, 0), or(f, 0)];
  };

  // SVG path data. Where it is broken, what stands before is drawn, as SVG has it.
  const TOKEN = /[\s,]*(?:([a-zA-Z])|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))/y;
  const FLAG = /[\s,]*([01])/y;
  const OPERANDS = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

  const addSvg = (path, text) => {
    const r = pathOf(path);
    let at = 0, command = "", relative = false, x = 0, y = 0, startX = 0, startY = 0, cx = 0, cy = 0, last = "";
    const next = (pattern) => {
      pattern.lastIndex = at;
      const found = apply(exec, pattern, [text]);
      if (found !== null) at = pattern.lastIndex;
      return found;
    };
    for (;;) {
      const before = at;
      const found = next(TOKEN);
      if (found === null) return;
      if (found[1] !== undefined) {
        const letter = found[1];
        const upper = letter >= "a" ? letter === "m" ? "M" : letter === "l" ? "L" : letter === "h" ? "H" : letter === "v" ? "V" : letter === "c" ? "C" : letter === "s" ? "S" : letter === "q" ? "Q" : letter === "t" ? "T" : letter === "a" ? "A" : letter === "z" ? "Z" : "" : letter;
        if (OPERANDS[upper] === undefined || (last === "" && upper !== "M")) return;
        command = upper;
        relative = letter !== upper;
      } else {
        if (command === "" || command === "Z") return;
        if (command === "M") command = "L";
        at = before;
      }
      const operands = bare();
      for (let i = 0; i < OPERANDS[command]; i++) {
        const operand = next(command === "A" && (i === 3 || i === 4) ? FLAG : TOKEN);
        if (operand === null || (operand[2] === undefined && !(command === "A" && (i === 3 || i === 4)))) return;
        operands[i] = +(operand[2] ?? operand[1]);
      }
      const dx = relative ? x : 0, dy = relative ? y : 0;
      const p = operands;
      if (command === "M") {
        x = startX = p[0] + dx; y = startY = p[1] + dy;
        put2(r, CODE.moveTo, x, y);
      } else if (command === "L") {
        x = p[0] + dx; y = p[1] + dy;
        put2(r, CODE.lineTo, x, y);
      } else if (command === "H") {
        x = p[0] + dx;
        put2(r, CODE.lineTo, x, y);
      } else if (command === "V") {
        y = p[0] + dy;
        put2(r, CODE.lineTo, x, y);
      } else if (command === "C" || command === "S") {
        const smooth = command === "S";
        const ax = smooth ? (last === "C" ? 2 * x - cx : x) : p[0] + dx;
        const ay = smooth ? (last === "C" ? 2 * y - cy : y) : p[1] + dy;
        const o = smooth ? 0 : 2;
        cx = p[o] + dx; cy = p[o + 1] + dy; x = p[o + 2] + dx; y = p[o + 3] + dy;
        putAll(r, CODE.bezierCurveTo, [ax, ay, cx, cy, x, y]);
      } else if (command === "Q" || command === "T") {
        const smooth = command === "T";
        const before = last === "Q";
        cx = smooth ? (before ? 2 * x - cx : x) : p[0] + dx;
        cy = smooth ? (before ? 2 * y - cy : y) : p[1] + dy;
        const o = smooth ? 0 : 2;
        x = p[o] + dx; y = p[o + 1] + dy;
        put4(r, CODE.quadraticCurveTo, cx, cy, x, y);
      } else if (command === "A") {
        x = p[5] + dx; y = p[6] + dy;
        putAll(r, CODE.svgArc, [p[0], p[1], p[2], p[3], p[4], x, y]);
      } else {
        x = startX; y = startY;
        put0(r, CODE.closePath);
      }
      last = command === "S" ? "C" : command === "T" ? "Q" : command;
    }
  };

  const pathNumber = (r, path) => {
    const { words, used } = pathOf(path);
    const last = r.paths.length - 1;
    if (last >= 0 && r.paths[last].of === path && r.paths[last].used === used) return last;
    r.count += pathOf(path).count;
    r.paths[last + 1] = { of: path, used, words: new Float64Array(apply(subarray, words, [0, used])) };
    return last + 1;
  };

  // --- gradients, patterns, pixels --------------------------------------------------------

  let gradientOf;
  class CanvasGradient {
    #spec;
    static {
      gradientOf = (value) => (typeof value === "object" && value !== null && #spec in value ? value.#spec : undefined);
    }
    constructor(kind, args) {
      const spec = { kind, args, stops: bare(), owner: null, number: 0 };
      this.#spec = spec;
      defineProperty(this, "__nodetool_canvas_gradient__", { __proto__: null, get: () => spec.number, enumerable: false });
    }
    addColorStop(offset, color) {
      const at = +offset;
      if (!(at >= 0 && at <= 1)) throw new RangeError("addColorStop: the offset " + offset + " is not between 0 and 1");
      if (this.#spec.stops.length >= MAX_DASHES) throw new RangeError("addColorStop: at most " + MAX_DASHES + " stops");
      this.#spec.stops[this.#spec.stops.length] = [at, "" + color];
      return this;
    }
  }

  let patternOf;
  class CanvasPattern {
    #spec;
    static {
      patternOf = (value) => (typeof value === "object" && value !== null && #spec in value ? value.#spec : undefined);
    }
    constructor(image, repetition) {
      this.#spec = { image, repetition, matrix: [1, 0, 0, 1, 0, 0] };
    }
    setTransform(matrix) {
      this.#spec.matrix = matrix === undefined ? [1, 0, 0, 1, 0, 0] : matrixOf(matrix);
    }
  }
  const REPETITIONS = create(null);
  for (const name of ["repeat", "repeat-x", "repeat-y", "no-repeat"]) REPETITIONS[name] = name;

  const MAX_EDGE = 16384;
  const edge = (name, value) => {
    const n = value >> 0;
    if (n < 1 || n > MAX_EDGE) throw new RangeError(name + ": width and height must be 1 to " + MAX_EDGE);
    return n;
  };
  let isImageData;
  class ImageData {
    #is = true;
    static {
      isImageData = (value) => typeof value === "object" && value !== null && #is in value;
    }
    constructor(a, b, c = undefined) {
      let data, width, height;
      if (isView(a)) {
        width = edge("ImageData", b);
        height = c === undefined ? a.length / (4 * width) : edge("ImageData", c);
        if (a.length !== 4 * width * height) throw new RangeError("ImageData: " + a.length + " bytes are not " + width + " columns of RGBA");
        data = a;
      } else {
        width = edge("ImageData", a);
        height = edge("ImageData", b);
        data = new Uint8ClampedArray(4 * width * height);
      }
      defineProperty(this, "width", { __proto__: null, value: width, enumerable: true });
      defineProperty(this, "height", { __proto__: null, value: height, enumerable: true });
      defineProperty(this, "data", { __proto__: null, value: data, enumerable: true });
    }
  }

  const imageNumber = (r, op, image) => {
    if (image === null || typeof image !== "object" || isSurface(image))
      throw new TypeError(op + ": the image must be encoded bytes or a handle; a surface is drawn with what its toBytes() gives");
    const at = r.images.length;
    // the same picture many times is one picture; looked for among the latest, so that this stays cheap
    for (let i = at - 1; i >= 0 && i >= at - 16; i--) if (r.images[i].of === image) return i;
    r.images[at] = { of: image, data: source(op, image) };
    return at;
  };

  // --- the context ------------------------------------------------------------------------

  let recordingOf;
  class CanvasRenderingContext2D {
    #r;
    #surface;
    static {
      recordingOf = (ctx) => ctx.#r;
    }
    constructor(r, surface) {
      this.#r = r;
      this.#surface = surface;
    }
    get canvas() {
      return this.#surface;
    }

    save() {
      const r = this.#r;
      put0(r, CODE.save);
      if (r.saved < MAX_CANVAS_OPS) {
        r.saved++;
        r.values = create(r.values);
      }
      return this;
    }
    restore() {
      const r = this.#r;
      put0(r, CODE.restore);
      if (r.saved > 0) {
        r.saved--;
        r.values = getPrototypeOf(r.values);
      }
      return this;
    }
    translate(x, y) { x = +x; y = +y; put2(this.#r, CODE.translate, x, y); return this; }
    rotate(angle) { angle = +angle; put1(this.#r, CODE.rotate, angle); return this; }
    scale(x, y) { x = +x; y = +y; put2(this.#r, CODE.scale, x, y); return this; }
    transform(a, b, c, d, e, f) { putAll(this.#r, CODE.transform, [+a, +b, +c, +d, +e, +f]); return this; }
    setTransform(a, b, c, d, e, f) {
      if (a === undefined) put0(this.#r, CODE.resetTransform);
      else putAll(this.#r, CODE.setTransform, typeof a === "object" && a !== null ? matrixOf(a) : [+a, +b, +c, +d, +e, +f]);
      return this;
    }
    resetTransform() { put0(this.#r, CODE.resetTransform); return this; }

    beginPath() { put0(this.#r, CODE.beginPath); return this; }
    fill(path, rule) {
      const r = this.#r;
      if (isPath(path)) put2(r, CODE.fillPath, pathNumber(r, path), ruleOf(rule));
      else put1(r, CODE.fill, ruleOf(path));
      return this;
    }
    stroke(path) {
      const r = this.#r;
      if (isPath(path)) put1(r, CODE.strokePath, pathNumber(r, path));
      else put0(r, CODE.stroke);
      return this;
    }
    clip(path, rule) {
      const r = this.#r;
      if (isPath(path)) put2(r, CODE.clipPath, pathNumber(r, path), ruleOf(rule));
      else put1(r, CODE.clip, ruleOf(path));
      return this;
    }
    fillRect(x, y, w, h) { x = +x; y = +y; w = +w; h = +h; put4(this.#r, CODE.fillRect, x, y, w, h); return this; }
    strokeRect(x, y, w, h) { x = +x; y = +y; w = +w; h = +h; put4(this.#r, CODE.strokeRect, x, y, w, h); return this; }
    clearRect(x, y, w, h) { x = +x; y = +y; w = +w; h = +h; put4(this.#r, CODE.clearRect, x, y, w, h); return this; }

    fillText(text, x, y, within) { return this.#text("fillText", text, x, y, within); }
    strokeText(text, x, y, within) { return this.#text("strokeText", text, x, y, within); }
    #text(name, text, x, y, within) {
      const r = this.#r;
      const all = [textNumber(r, "" + text), +x, +y];
      if (within === undefined) putAll(r, CODE[name], all);
      else putAll(r, CODE[name + "Within"], joined(all, +within));
      return this;
    }
    measureText(text) {
      const { font, letterSpacing, direction, textAlign, textBaseline } = this.#r.values;
      return callSync("canvas", "measure", "" + text, { font, letterSpacing, direction, textAlign, textBaseline });
    }

    setLineDash(segments) {
      const r = this.#r;
      const list = apply(arrayFrom, Array, [segments]);
      if (list.length > MAX_DASHES) throw new RangeError("setLineDash: at most " + MAX_DASHES + " segments");
      for (let i = 0; i < list.length; i++) {
        list[i] = +list[i];
        if (!isFinite(list[i]) || list[i] < 0) return this;
      }
      const operands = [list.length];
      for (let i = 0; i < list.length; i++) operands[i + 1] = list[i];
      putAll(r, CODE.setLineDash, operands);
      const twice = list.length % 2 === 1;
      const dash = part(list, 0);
      if (twice) for (let i = 0; i < list.length; i++) dash[list.length + i] = list[i];
      r.values.lineDash = dash;
      return this;
    }
    getLineDash() {
      const dash = this.#r.values.lineDash;
      return dash === undefined ? [] : part(dash, 0);
    }

    drawImage(image, a, b, c, d, e, f, g, h) {
      const r = this.#r;
      const number = imageNumber(r, "drawImage", image);
      if (c === undefined) putAll(r, CODE.drawImage, [number, +a, +b]);
      else if (e === undefined) putAll(r, CODE.drawImageScaled, [number, +a, +b, +c, +d]);
      else putAll(r, CODE.drawImagePart, [number, +a, +b, +c, +d, +e, +f, +g, +h]);
      return this;
    }
    createImageData(width, height) {
      return isImageData(width) ? new ImageData(width.width, width.height) : new ImageData(width, height);
    }
    putImageData(image, x, y, dirtyX = 0, dirtyY = 0, dirtyWidth = image?.width, dirtyHeight = image?.height) {
      if (!isImageData(image)) throw new TypeError("putImageData: the first argument must be an ImageData");
      const r = this.#r;
      const { width, height, data } = image;
      r.images[r.images.length] = { of: null, data: { width, height, pixels: new Uint8Array(data) } };
      putAll(r, CODE.putImageData, [r.images.length - 1, +x, +y, +dirtyX, +dirtyY, +dirtyWidth, +dirtyHeight]);
      return this;
    }
    getImageData(x, y, width, height) {
      const w = edge("getImageData", width), h = edge("getImageData", height);
      const pixels = callSync("canvas", "pixels", sent(this.#r), x >> 0, y >> 0, w, h);
      return new ImageData(new Uint8ClampedArray(apply(bufferOf, pixels, [])), w, h);
    }

    createLinearGradient(x0, y0, x1, y1) { return new CanvasGradient("linear", [+x0, +y0, +x1, +y1]); }
    createRadialGradient(x0, y0, r0, x1, y1, r1) {
      const all = [+x0, +y0, +r0, +x1, +y1, +r1];
      notNegative("createRadialGradient", all[2]);
      notNegative("createRadialGradient", all[5]);
      return new CanvasGradient("radial", all);
    }
    createConicGradient(angle, x, y) { return new CanvasGradient("conic", [+angle, +x, +y]); }
    createPattern(image, repetition) {
      const name = repetition === null || repetition === "" || repetition === undefined ? "repeat" : REPETITIONS[repetition];
      if (name === undefined) throw new TypeError('createPattern: "' + repetition + '" is no repetition');
      imageNumber(this.#r, "createPattern", image);
      return new CanvasPattern(image, name);
    }
  }
  const arrayFrom = Array.from;
  addMethods(CanvasRenderingContext2D, pathMethods((ctx) => recordingOf(ctx)));

  const member = (list, item) => {
    for (let i = 0; i < list.length; i++) if (list[i] === item) return i;
    list[list.length] = item;
    return list.length - 1;
  };

  const setPaint = (r, index, value) => {
    const gradient = gradientOf(value);
    const pattern = gradient === undefined ? patternOf(value) : undefined;
    if (gradient !== undefined) {
      gradient.number = member(r.gradients, gradient);
      put2(r, CODE.setGradient, index, gradient.number);
    } else if (pattern !== undefined) put2(r, CODE.setPattern, index, member(r.patterns, pattern));
    else put2(r, CODE.setText, index, textNumber(r, "" + value));
  };

  NUMBERS.forEach((name, index) => {
    defineProperty(CanvasRenderingContext2D.prototype, name, {
      get() {
        return recordingOf(this).values[name];
      },
      set(value) {
        const r = recordingOf(this);
        const number = +value;
        put2(r, CODE.setNumber, index, number);
        r.values[name] = value;
      },
      enumerable: true,
      configurable: true,
    });
  });
  TEXTS.forEach((name, index) => {
    const isPaint = index < 2;
    defineProperty(CanvasRenderingContext2D.prototype, name, {
      get() {
        return recordingOf(this).values[name];
      },
      set(value) {
        const r = recordingOf(this);
        if (typeof value === "string") put2(r, CODE.setText, index, textNumber(r, value));
        else if (isPaint) setPaint(r, index, value);
        else put2(r, CODE.setText, index, textNumber(r, "" + value));
        r.values[name] = value;
      },
      enumerable: true,
      configurable: true,
    });
  });

  // --- surfaces ---------------------------------------------------------------------------

  const tooMany = (r) => {
    if (r.count > MAX_CANVAS_OPS) throw new Error("canvas.render: " + r.count + " operations exceeds the " + MAX_CANVAS_OPS + " limit");
  };

  // A recording as it crosses: numbers as they lie in memory, and the tables that they refer to.
  const sent = (r) => {
    tooMany(r);
    const bytes = (words, used) => new Uint8Array(apply(bufferOf, words, []), 0, used * 8);
    const gradients = bare(), patterns = bare(), paths = bare(), images = bare();
    for (let i = 0; i < r.gradients.length; i++) {
      const { kind, args, stops } = r.gradients[i];
      gradients[i] = { kind, args, stops };
    }
    for (let i = 0; i < r.patterns.length; i++) {
      const { image, repetition, matrix } = r.patterns[i];
      patterns[i] = { image: imageNumber(r, "createPattern", image), repetition, matrix };
    }
    for (let i = 0; i < r.paths.length; i++) paths[i] = bytes(r.paths[i].words, r.paths[i].used);
    for (let i = 0; i < r.images.length; i++) images[i] = r.images[i].data;
    return { width: r.width, height: r.height, words: bytes(r.words, r.used), texts: r.texts, gradients, patterns, paths, images };
  };

  const rendered = async (r, options) => handle("canvas", await call("canvas", "render", sent(r), options));

  let isSurface;
  class Surface {
    #r;
    #context;
    static {
      isSurface = (value) => #r in value;
    }
    constructor(width, height) {
      this.#r = recording(width, height);
      this.#context = new CanvasRenderingContext2D(this.#r, this);
      defineProperty(this, "width", { __proto__: null, value: width, enumerable: true });
      defineProperty(this, "height", { __proto__: null, value: height, enumerable: true });
    }
    getContext(kind = undefined) {
      if (kind !== undefined && kind !== "2d") throw new Error('createCanvas: only the "2d" context exists');
      return this.#context;
    }
    async toBytes(options = undefined) {
      return await rendered(this.#r, options);
    }
    toSpec(options = undefined) {
      return specOf(this.#r, options);
    }
  }

  const createCanvas = function createCanvas(width, height) {
    return new Surface(width, height);
  };

  // --- specs: a recording as plain objects, and back --------------------------------------

  const MARK = "__nodetool_canvas_gradient__";

  const specOf = (r, options) => {
    tooMany(r);
    const { format, quality, background } = options ?? {};
    const spec = { width: r.width, height: r.height };
    if (background !== undefined) spec.background = background;
    if (format !== undefined) spec.format = format;
    if (quality !== undefined) spec.quality = quality;
    spec.gradients = [];
    for (let i = 0; i < r.gradients.length; i++) {
      const { kind, args, stops } = r.gradients[i];
      const copied = [];
      for (let k = 0; k < stops.length; k++) copied[k] = [stops[k][0], stops[k][1]];
      spec.gradients[i] = { kind, args: part(args, 0), stops: copied };
    }
    spec.ops = [];
    const w = r.words;
    for (let n = 0; n < r.used; ) {
      const name = OPS[w[n]][0], operands = OPS[w[n]][1];
      const args = [];
      for (let i = 0; i < operands; i++) args[i] = w[n + 1 + i];
      n += 1 + operands;
      if (name === "setLineDash") {
        const dashes = [];
        for (let i = 0; i < args[0]; i++) dashes[i] = w[n++];
        spec.ops[spec.ops.length] = { op: "setLineDash", args: [dashes] };
      } else spec.ops[spec.ops.length] = asSpecOp(r, name, args);
    }
    return spec;
  };

  const withFirst = (first, args) => {
    const all = part(args, 0);
    all[0] = first;
    return all;
  };

  const asSpecOp = (r, name, args) => {
    if (name === "setNumber") return { op: "set", args: [NUMBERS[args[0]], NUMBERS[args[0]] === "imageSmoothingEnabled" ? args[1] !== 0 : args[1]] };
    if (name === "setText") return { op: "set", args: [TEXTS[args[0]], r.texts[args[1]]] };
    if (name === "setGradient") return { op: "set", args: [TEXTS[args[0]], { [MARK]: args[1] }] };
    const text = { fillText: 1, strokeText: 1, fillTextWithin: 1, strokeTextWithin: 1 }[name];
    if (text) return { op: name === "fillTextWithin" ? "fillText" : name === "strokeTextWithin" ? "strokeText" : name, args: withFirst(r.texts[args[0]], args) };
    if (name === "drawImage" || name === "drawImageScaled" || name === "drawImagePart")
      return { op: "drawImage", args: withFirst(r.images[args[0]].data, args) };
    if (name === "fill" || name === "clip") return { op: name, args: args[0] ? [EVEN_ODD] : [] };
    if (name === "arc" || name === "ellipse") return { op: name, args: joined(part(args, 0, args.length - 1), args[args.length - 1] === 1) };
    if (name === "roundRect") {
      const radii = part(args, 4);
      const corners = [];
      for (let i = 0; i < 4; i++) corners[i] = radii[2 * i] === radii[2 * i + 1] ? radii[2 * i] : { x: radii[2 * i], y: radii[2 * i + 1] };
      return { op: name, args: joined(part(args, 0, 4), corners) };
    }
    if (name === "setPattern" || name === "fillPath" || name === "strokePath" || name === "clipPath" || name === "putImageData")
      throw new Error("toSpec: a spec has no " + (name === "setPattern" ? "patterns" : name === "putImageData" ? "pixels" : "Path2D") + "; use toBytes");
    return { op: name, args };
  };

  const SPEC_METHODS = create(null);
  for (const name of [
    "save", "restore", "translate", "rotate", "scale", "transform", "setTransform", "resetTransform", "beginPath", "closePath",
    "moveTo", "lineTo", "bezierCurveTo", "quadraticCurveTo", "arc", "arcTo", "ellipse", "rect", "roundRect", "fill", "stroke", "clip",
    "fillRect", "strokeRect", "clearRect", "fillText", "strokeText", "setLineDash", "drawImage",
  ]) SPEC_METHODS[name] = CanvasRenderingContext2D.prototype[name];
  const SPEC_PROPERTIES = create(null);
  for (const name of [...NUMBERS, ...TEXTS]) SPEC_PROPERTIES[name] = global.Object.getOwnPropertyDescriptor(CanvasRenderingContext2D.prototype, name).set;
  const GRADIENTS = { linear: 4, radial: 6, conic: 3 };

  const played = (spec) => {
    if (spec === null || typeof spec !== "object") throw new Error("canvas.render: spec must be an object");
    const { width, height, gradients, ops } = spec;
    if (!isArray(ops)) throw new Error("canvas.render: ops must be an array");
    if (ops.length > MAX_CANVAS_OPS) throw new Error("canvas.render: " + ops.length + " operations exceeds the " + MAX_CANVAS_OPS + " limit");
    const r = recording(width, height);
    const ctx = new CanvasRenderingContext2D(r, null);
    const made = [];
    if (isArray(gradients))
      for (let i = 0; i < gradients.length; i++) {
        const { kind, type = kind, args, stops } = gradients[i] ?? {};
        if (typeof type !== "string" || GRADIENTS[type] === undefined || !isArray(args) || !isArray(stops)) throw new Error("canvas.render: unknown gradient reference");
        const numbers = [];
        for (let k = 0; k < GRADIENTS[type]; k++) numbers[k] = +args[k];
        made[i] = new CanvasGradient(type, numbers);
        for (let k = 0; k < stops.length; k++) made[i].addColorStop(isArray(stops[k]) ? stops[k][0] : stops[k].offset, isArray(stops[k]) ? stops[k][1] : stops[k].color);
      }
    for (let i = 0; i < ops.length; i++) {
      const { op, args } = ops[i] ?? {};
      const list = isArray(args) ? args : [];
      if (op === "set") {
        const name = list[0], value = list[1];
        const set = typeof name === "string" ? SPEC_PROPERTIES[name] : undefined;
        if (set === undefined) throw new Error("canvas.render: op " + i + ' sets unknown property "' + String(name) + '"');
        const mark = value !== null && typeof value === "object" ? value[MARK] : undefined;
        if (mark !== undefined && made[mark] === undefined) throw new Error("canvas.render: unknown gradient reference");
        apply(set, ctx, [mark === undefined ? value : made[mark]]);
        continue;
      }
      const method = typeof op === "string" ? SPEC_METHODS[op] : undefined;
      if (method === undefined) throw new Error("canvas.render: op " + i + ' calls unknown method "' + String(op) + '"');
      if (op === "drawImage" && (list[0] === null || typeof list[0] !== "object")) throw new Error("canvas.render: op " + i + " has no image");
      apply(method, ctx, part(list, 0));
    }
    return r;
  };

  const canvas = {
    async render(spec) {
      const r = played(spec);
      const { format, quality, background, as } = spec;
      return await rendered(r, { format, quality, background, as });
    },
    async measureText(text, font = undefined) {
      if (typeof text !== "string") throw new Error("canvas.measureText: text must be a string");
      return await call("canvas", "measureText", text, { font });
    },
  };

  kit.power("canvas", { canvas, createCanvas, Path2D, ImageData });
})
