// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=250
return [...(function* () { for (;;) yield; })()];
