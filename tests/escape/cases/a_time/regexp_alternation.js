// ends: value false | timeout
// limits: timeout_ms=250
return /^(?:a|a|a?)+$/.test("a".repeat(60) + "b");
