// ends: timeout
// limits: timeout_ms=200
// logs: []
return await Promise.any([(async () => { while (1); })(), Promise.resolve('survived')]);
