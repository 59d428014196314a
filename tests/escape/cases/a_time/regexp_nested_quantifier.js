// ends: value false | timeout
// limits: timeout_ms=250
return /(a+)+$/.test("a".repeat(40) + "b");
