// ends: value null
// limits: timeout_ms=20000
const huge = () => ({ length: 2 ** 53 - 1 });
return Array.prototype.pop.call(huge());
