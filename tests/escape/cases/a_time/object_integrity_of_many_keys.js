// ends: timeout
// limits: timeout_ms=200 memory_limit_bytes=268435456
const o = {};
for (let i = 0; i < 2e5; i++) o['k' + i] = i;
for (;;) Object.isFrozen(Object.freeze(o));
