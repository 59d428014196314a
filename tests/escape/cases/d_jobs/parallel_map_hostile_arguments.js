// ends: value [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]
// limits: timeout_ms=20000
const out = [];
for (const v of [-1, NaN, 1e308, '8', null, {}, 65537, -0, 1.5, 2n, Symbol('s')]) { try { out.push((await parallelMap([1, 2], (x) => x, v)).length); } catch (e) { out.push(e.name); } }
return out;
