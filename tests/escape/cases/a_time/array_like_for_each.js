// ends: timeout
// limits: timeout_ms=200
const huge = () => ({ length: 2 ** 53 - 1 });
return Array.prototype.forEach.call(huge(), Object);
