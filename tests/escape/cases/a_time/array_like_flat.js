// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=250
const huge = () => ({ length: 2 ** 53 - 1 });
return Array.prototype.flat.call(huge());
