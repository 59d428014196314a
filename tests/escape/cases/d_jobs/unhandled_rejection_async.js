// ends: value 1
// limits: timeout_ms=20000
(async () => { throw Object.create(null); })();
await sleep(1);
return 1;
