// ends: value 1
// limits: timeout_ms=20000
return { then(r, e) { r(1); e(2); r(3); } };
