// ends: timeout
// limits: timeout_ms=200
// logs: []
await parallelMap([1, 2, 3], async () => { while (1); }).catch(() => console.log('caught'));
return 'survived';
