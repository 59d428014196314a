// ends: timeout
// limits: timeout_ms=200
// logs: []
const it = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), return() { while (1); } }) };
try { for (const x of it) throw 1; } catch { console.log('caught'); }
return 'survived';
