// ends: error RangeError /^invalid array length/
// limits: timeout_ms=20000
const huge = () => ({ length: 2 ** 53 - 1 });
return Array.prototype.toSpliced.call(huge(), 0, 1);
