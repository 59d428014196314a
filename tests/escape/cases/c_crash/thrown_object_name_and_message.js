// ends: error - /^\[object Object\]/
// limits: timeout_ms=20000
throw { name: {}, message: {} };
