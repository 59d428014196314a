// ends: error TypeError
// limits: timeout_ms=20000
const huge = () => ({ length: 2 ** 53 - 1 });
return Array.prototype.push.call(huge(), 1);
