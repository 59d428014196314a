// ends: error RangeError /^BigInt is too large/
// limits: timeout_ms=20000
return 2n ** 2n ** 2n ** 2n ** 2n ** 2n;
