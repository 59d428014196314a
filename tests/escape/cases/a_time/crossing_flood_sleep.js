// ends: timeout
// limits: timeout_ms=200
for (;;) await sleep(0);
