// ends: value "all"
// limits: timeout_ms=20000
await Promise.all(Array.from({ length: 5000 }, () => sleep(1)));
return 'all';
