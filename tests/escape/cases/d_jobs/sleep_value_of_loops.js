// ends: timeout
// limits: timeout_ms=200
await sleep({ valueOf() { while (1); } });
return 1;
