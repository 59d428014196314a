// ends: error InternalError /^out of memory/
// limits: timeout_ms=20000
const a = [];
for (;;) { const g = (function* () { yield 1; })(); g.next(); a.push(g); }
