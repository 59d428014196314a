// ends: error RangeError /^too many arguments in function call \(only 65535 allowed\)/
// limits: timeout_ms=20000
return Reflect.apply(Math.max, null, { length: 2 ** 53 - 1 });
