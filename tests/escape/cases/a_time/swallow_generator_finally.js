// ends: timeout
// limits: timeout_ms=200
// logs: []
for (const x of (function* () { try { yield 1; } finally { while (1); } })()) break;
return 'survived';
