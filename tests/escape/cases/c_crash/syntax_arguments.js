// ends: value "undefined"
// limits: timeout_ms=20000
return typeof arguments;
