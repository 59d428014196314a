// ends: value 6 | timeout | error InternalError /out of memory/
// limits: timeout_ms=500
let n = 0;
for (;;) { try { await null; const a = []; for (;;) a.push({ n }); } catch (e) { n++; if (n > 5) return n; } }
