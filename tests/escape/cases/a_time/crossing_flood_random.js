// ends: timeout
// limits: timeout_ms=200
for (;;) new Map([[{}, Math.random()]]);
