// ends: error - /^NaN/
// limits: timeout_ms=20000
throw NaN;
