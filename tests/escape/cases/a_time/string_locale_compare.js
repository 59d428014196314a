// ends: value true | timeout
// limits: timeout_ms=250
const s = "\u0315\u0300".repeat(3e5);
return s.localeCompare(s + "a") < 0;
