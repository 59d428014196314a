// ends: value 1
// limits: timeout_ms=20000
for (let i = 0; i < 20000; i++) Promise.reject(i);
await sleep(1);
return 1;
