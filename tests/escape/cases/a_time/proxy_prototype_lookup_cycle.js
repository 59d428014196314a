// ends: error RangeError /call stack/
// limits: timeout_ms=20000
const a = {};
const p = new Proxy(a, {});
Object.setPrototypeOf(a, p);
return a.missing;
