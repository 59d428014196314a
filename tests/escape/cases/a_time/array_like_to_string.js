// ends: value "[object Object]"
// limits: timeout_ms=20000
const huge = () => ({ length: 2 ** 53 - 1 });
return Array.prototype.toString.call(huge());
