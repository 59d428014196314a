// ends: error - /^null/
// limits: timeout_ms=20000
throw null;
