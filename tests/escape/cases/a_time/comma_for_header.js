// ends: timeout
// limits: timeout_ms=200
for (let i = 0; i >= 0; i = (i + 1) | 0, i %= 1000);
