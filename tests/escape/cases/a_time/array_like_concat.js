// ends: value [{"length": 9007199254740991}]
// limits: timeout_ms=20000
const huge = () => ({ length: 2 ** 53 - 1 });
return Array.prototype.concat.call(huge());
