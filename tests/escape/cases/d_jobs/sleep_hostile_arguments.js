// ends: value true
// limits: timeout_ms=20000
const out = [];
for (const v of [-1, NaN, '8', null, {}, -0, 1.5, 2n, Symbol('s'), { valueOf() { throw 1; } }, -Infinity, [], undefined]) { try { out.push(await sleep(v)); } catch (e) { out.push(e.name); } }
return out.every((x) => x === null || x === undefined);
