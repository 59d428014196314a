// ends: error RangeError /^invalid array buffer length/
// limits: timeout_ms=20000
return new Uint8Array({ length: 2 ** 53 - 1 }).length;
