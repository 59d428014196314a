// ends: timeout
// limits: timeout_ms=200
throw { get name() { for (;;); }, message: 'm' };
