// ends: timeout
// limits: timeout_ms=200
const a = Array.from({ length: 2000 }, (_, i) => 'x'.repeat(20000) + i);
for (;;) a.sort();
