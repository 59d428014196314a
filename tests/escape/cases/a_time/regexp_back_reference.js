// ends: value false | timeout
// limits: timeout_ms=250
return /^(a+)\1+$/.test("a".repeat(2e6) + "b");
