// ends: timeout
// limits: timeout_ms=200
// logs: []
await { get then() { while (1); } };
return 'survived';
