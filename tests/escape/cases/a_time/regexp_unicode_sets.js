// ends: value false | timeout
// limits: timeout_ms=250
return /^(?:[\p{L}--[a-z]]|\p{L})+$/v.test("a".repeat(60) + "1");
