// ends: value 1
// limits: timeout_ms=20000
(function f() { Promise.resolve().then(f); })();
return 1;
