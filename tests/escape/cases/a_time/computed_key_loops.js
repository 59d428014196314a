// ends: timeout
// limits: timeout_ms=200
return { [(() => { for (;;); })()]: 1 };
