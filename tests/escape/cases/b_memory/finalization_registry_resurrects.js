// ends: error InternalError /out of memory/ | timeout
// limits: timeout_ms=2000
const kept = [];
const r = new FinalizationRegistry((v) => kept.push(v));
for (let i = 0; ; i++) r.register({}, new Uint8Array(1000));
