// ends: error -
// limits: timeout_ms=20000
throw [];
