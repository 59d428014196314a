// ends: value 1
// limits: timeout_ms=20000
(async () => { for (;;) await 0; })();
return 1;
