// ends: error Error /^thrown/
// limits: timeout_ms=20000
(async () => { for (;;) await 0; })();
throw new Error('thrown');
