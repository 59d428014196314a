// ends: error RangeError /^too many arguments in function call \(only 65535 allowed\)/
// limits: timeout_ms=20000
return Math.max.apply(null, { length: 2 ** 32 - 2 });
