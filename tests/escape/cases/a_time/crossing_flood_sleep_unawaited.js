// ends: timeout
// limits: timeout_ms=250
for (;;) sleep(0).catch(() => {});
