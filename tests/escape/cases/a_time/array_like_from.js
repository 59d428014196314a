// ends: error RangeError /^invalid array length/
// limits: timeout_ms=20000
const huge = () => ({ length: 2 ** 53 - 1 });
return Array.from(huge()).length;
