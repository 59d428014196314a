// ends: value true
// limits: timeout_ms=20000
const seen = [];
const then = Promise.prototype.then;
Promise.prototype.then = function (...a) { seen.push(typeof this, ...a.map((x) => typeof x)); return then.apply(this, a); };
await sleep(1);
await parallelMap([1], (x) => x);
return seen.every((x) => ['object', 'function', 'undefined'].includes(x));
