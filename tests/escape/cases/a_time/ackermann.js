// ends: timeout
// limits: timeout_ms=250
const a = (m, n) => (m ? (n ? a(m - 1, a(m, n - 1)) : a(m - 1, 1)) : n + 1);
try { return a(4, 2); } catch { for (;;); }
