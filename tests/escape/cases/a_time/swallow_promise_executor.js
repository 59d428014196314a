// ends: timeout
// limits: timeout_ms=200
// logs: []
const p = new Promise(() => { while (1); });
p.catch(() => console.log('caught'));
return 'survived';
