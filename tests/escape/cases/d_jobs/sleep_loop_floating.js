// ends: value 1
// limits: timeout_ms=20000
(async () => { for (;;) await sleep(1); })();
return 1;
