// ends: timeout
// limits: timeout_ms=200
throw { toString() { for (;;); } };
