// ends: value false | timeout
// limits: timeout_ms=250
return /a*b/.test("a".repeat(1e6));
