// ends: error Error /^x/
// limits: timeout_ms=20000
const e = new Error('x');
Object.defineProperty(e, 'stack', { get() { while (1); } });
throw e;
