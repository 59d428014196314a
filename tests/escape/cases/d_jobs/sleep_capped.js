// ends: timeout
// limits: timeout_ms=250
await sleep(1e308);
return 1;
