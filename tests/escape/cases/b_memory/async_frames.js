// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
const a = [];
const never = new Promise(() => {});
for (;;) a.push((async () => { await never; })());
