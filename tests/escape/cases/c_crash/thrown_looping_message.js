// ends: timeout
// limits: timeout_ms=200
throw { get message() { for (;;); } };
