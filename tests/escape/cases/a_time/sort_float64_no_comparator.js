// ends: value 8000000 | timeout
// limits: timeout_ms=250 memory_limit_bytes=134217728
const u = new Float64Array(8e6);
for (let i = 0; i < 8e6; i += 1) u[i] = (i * 7919) % 104729;
return u.sort().length;
