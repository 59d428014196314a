// ends: timeout
// limits: timeout_ms=500 memory_limit_bytes=536870912
const u = new Float64Array(5e7);
for (let i = 0; i < 5e7; i += 64) u[i] = i ^ 0x2a;
return u.sort()[0];
