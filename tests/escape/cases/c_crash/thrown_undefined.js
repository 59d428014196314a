// ends: error - /^undefined/
// limits: timeout_ms=20000
throw undefined;
