// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=250
return Object.groupBy((function* () { for (;;) yield 1; })(), () => 'k');
