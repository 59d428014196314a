// ends: error RangeError /^get/
// limits: timeout_ms=20000
return { get then() { throw new RangeError('get'); } };
