// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=250
return await Promise.all((function* () { for (;;) yield 1; })());
