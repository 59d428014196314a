// ends: value "ok"
// powers: image
// limits: timeout_ms=20000
const proxy = new Proxy({}, { get() { throw 1; } });
const odd = [undefined, null, 0, -1, NaN, 1n, "x", Symbol(), [], {}, proxy, () => 1, new Date(NaN), { length: 1e18 }, { length: -1 }, { uri: {} }, { length: 3, get 1() { throw 2; } }];
for (const name of Object.keys(image))
  for (const first of odd)
    for (const second of [undefined, null, proxy, { width: proxy }, "x", { width: Symbol() }, [proxy]])
      try { await image[name](first, second); } catch (e) { if (!(e instanceof Error) && e !== 1 && e !== 2) return name + String(e); }
return "ok";
