// ends: value [2000004, 5, 1000000] | timeout
// limits: timeout_ms=10000 memory_limit_bytes=268435456
const huge = 'x'.repeat(1e6);
return [(await format.list([huge, huge])).length - 1, (await format.list(['', '', ''])).length - 3, (await format.list([huge])).length];
