// ends: value 7
// limits: timeout_ms=20000
return { then(r) { r(7); } };
