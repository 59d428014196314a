// ends: error RangeError /^invalid array length/
// limits: timeout_ms=20000
return new Uint8Array(8).set({ length: 2 ** 53 - 1 }, 0);
