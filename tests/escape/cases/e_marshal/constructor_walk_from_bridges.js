// ends: value "closed"
// limits: timeout_ms=20000
const seen = new Set();
for (let o of [console.log, sleep, progress, toBase64, parallelMap, sleep(0)]) while (o && !seen.has(o)) { seen.add(o); if (typeof o.constructor === 'function' && o.constructor !== Object && o.constructor !== Promise) { try { return typeof o.constructor('return this')(); } catch (e) { if (!(e instanceof Error)) return 'bad'; } } o = Object.getPrototypeOf(o); }
return 'closed';
