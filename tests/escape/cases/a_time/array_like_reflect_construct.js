// ends: error RangeError /^too many arguments in function call \(only 65535 allowed\)/
// limits: timeout_ms=20000
return Reflect.construct(Array, { length: 2 ** 31 - 1 }).length;
