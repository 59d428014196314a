// ends: value ["object", "bigint", "symbol", "object", 1, 2]
// limits: timeout_ms=20000
const out = [];
for (const v of [null, 1n, Symbol.iterator, { then: 1 }, { get then() { throw 1; } }, new Proxy({}, { get() { throw 2; } })]) { try { out.push(typeof await v); } catch (e) { out.push(e); } }
return out;
