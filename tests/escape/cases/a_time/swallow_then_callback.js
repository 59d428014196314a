// ends: timeout
// limits: timeout_ms=200
// logs: []
Promise.resolve().then(() => { while (1); }).finally(() => console.log('finally'));
await sleep(1);
return 'survived';
