// ends: value 2
// limits: timeout_ms=20000
return 1 + 1;
