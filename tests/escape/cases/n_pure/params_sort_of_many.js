// ends: timeout | value 300000
// limits: timeout_ms=1500 memory_limit_bytes=268435456
const p = new URLSearchParams('b=1&a=2&'.repeat(150000));
p.sort();
return p.size;
