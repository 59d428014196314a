// ends: timeout
// limits: timeout_ms=200
return "a".repeat(1e5).replace(/a/g, () => { for (;;); });
