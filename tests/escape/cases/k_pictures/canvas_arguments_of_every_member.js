// ends: value "ok"
// powers: canvas
// limits: timeout_ms=20000
const proxy = new Proxy({}, { get() { throw 1; } });
const loud = { valueOf() { throw 2; }, toString() { throw 2; } };
const odd = [undefined, null, 0, -1, NaN, 1n, "x", Symbol(), [], {}, proxy, () => 1, loud, { length: 1e9 }, { uri: "x" }];
const surface = createCanvas(4, 4), ctx = surface.getContext("2d");
const kinds = [ctx, surface, canvas, new Path2D(), ctx.createLinearGradient(0, 0, 1, 1), ctx.createPattern(new Uint8Array(4), "repeat")];
for (const kind of kinds)
  for (const name of new Set([...Object.getOwnPropertyNames(Object.getPrototypeOf(kind)), ...Object.keys(kind), ...Object.keys(Object.getPrototypeOf(kind))])) {
    if (name === "constructor" || name === "toBytes" || name === "getImageData") continue;
    for (const first of odd) for (const second of [undefined, 1, proxy]) {
      try {
        if (typeof kind[name] === "function") await kind[name](first, second, first, second, first, 1, 1, 1, 1);
        else kind[name] = first;
      } catch (e) { if (!(e instanceof Error) && e !== 1 && e !== 2) return name + String(e); }
    }
  }
for (const bad of odd) for (const make of [() => createCanvas(bad, bad).toBytes(), () => new Path2D(bad), () => new ImageData(bad, bad), () => canvas.render(bad)]) try { await make(); } catch (e) { if (!(e instanceof Error) && e !== 1 && e !== 2) return String(e); }
return "ok";
