// ends: timeout
// limits: timeout_ms=200
// logs: []
(async () => { while (1); })().catch(() => {});
console.log('after');
return 'survived';
