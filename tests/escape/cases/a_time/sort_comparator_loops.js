// ends: timeout
// limits: timeout_ms=200
return [3, 2, 1].sort(() => { for (;;); });
