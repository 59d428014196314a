// ends: value -1 | timeout
// limits: timeout_ms=250
const h = "a".repeat(2e6), n = "a".repeat(1e6) + "b";
return h.indexOf(n);
