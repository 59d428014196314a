// ends: timeout
// limits: timeout_ms=200
const seen = new Set();
(function freeze(o) { if (Object(o) !== o || seen.has(o)) return; seen.add(o); Object.freeze(o); for (const k of Reflect.ownKeys(o)) { try { freeze(o[k]); } catch { } } freeze(Object.getPrototypeOf(o)); })(globalThis);
while (1);
