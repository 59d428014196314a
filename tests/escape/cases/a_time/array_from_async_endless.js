// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=250
return (await Array.fromAsync((async function* () { for (;;) yield 1; })())).length;
