// ends: value
// limits: timeout_ms=20000
Object.prototype.then = function (r) { r('hijacked'); };
await sleep(1);
return { a: 1 };
