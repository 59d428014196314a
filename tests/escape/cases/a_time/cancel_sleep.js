// ends: cancelled
// limits: timeout_ms=20000
// cancel: 100
await sleep(5000);
return 1;
