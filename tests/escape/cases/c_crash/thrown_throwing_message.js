// ends: error - /^\[object Object\]/
// limits: timeout_ms=20000
throw { get message() { throw 2; } };
