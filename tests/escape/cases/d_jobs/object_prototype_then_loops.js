// ends: timeout
// limits: timeout_ms=200
Object.prototype.then = function () { while (1); };
return { a: 1 };
