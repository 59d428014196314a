// ends: value 1 | timeout
// limits: timeout_ms=2000
queueMicrotask(() => { throw { toString() { while (1); } }; });
await sleep(1);
return 1;
