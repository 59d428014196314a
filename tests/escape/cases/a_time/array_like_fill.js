// ends: error InternalError /out of memory/ | timeout
// limits: timeout_ms=250
const huge = () => ({ length: 2 ** 53 - 1 });
return Array.prototype.fill.call(huge(), 0);
