// ends: timeout
// limits: timeout_ms=200
const r = /,/y;
r.constructor = { [Symbol.species]: function () { return { get lastIndex() { return 0; }, set lastIndex(v) { for (;;); }, exec: () => null }; } };
return 'a,b'.split(r).length;
