// ends: value false | timeout
// limits: timeout_ms=250
return /^(.+)\1+$/iu.test("aA".repeat(2e5) + "b");
