// ends: timeout
// limits: timeout_ms=200
// logs: []
return (await Promise.allSettled([(async () => { while (1); })()])).map((r) => r.status);
