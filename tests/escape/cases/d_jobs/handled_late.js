// ends: value "late"
// limits: timeout_ms=20000
const p = Promise.reject(new Error('late'));
await sleep(1);
return await p.catch((e) => e.message);
