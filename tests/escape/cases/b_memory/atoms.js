// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
const o = {};
for (let i = 0; ; i++) o['k' + i] = i;
