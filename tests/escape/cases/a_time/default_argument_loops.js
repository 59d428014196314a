// ends: timeout
// limits: timeout_ms=200
return ((a = (() => { for (;;); })()) => a)();
