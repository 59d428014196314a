// ends: value 1
// limits: timeout_ms=20000
queueMicrotask(function f() { queueMicrotask(f); });
return 1;
