// ends: timeout
// limits: timeout_ms=200
// logs: []
const f = (n) => { try { while (1); } catch { if (n) f(n - 1); } finally { if (n) f(n - 1); } };
f(1e6);
return 'survived';
