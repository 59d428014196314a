// ends: value true | timeout
// limits: timeout_ms=250
const s = "\u0344\u0f73".repeat(3e5);
return s.normalize("NFKD").length > 0;
