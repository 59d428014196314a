// ends: timeout | value -1 | error InternalError /out of memory/
// limits: timeout_ms=1500
const a = 'é'.repeat(5e5);
return (a + 'a').localeCompare(a + 'b', 'en', { numeric: true });
