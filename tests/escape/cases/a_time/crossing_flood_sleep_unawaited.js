// ends: timeout | error InternalError /out of memory/
// limits: timeout_ms=250
for (;;) sleep(0).catch(() => {});
