// ends: timeout
// limits: timeout_ms=200
const a = Array.from({ length: 3e5 }, (_, i) => i);
for (;;) a.sort(() => Math.random() - 0.5);
