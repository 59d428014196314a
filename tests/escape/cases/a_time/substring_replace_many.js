// ends: value 6000000 | timeout
// limits: timeout_ms=250
return "a".repeat(3e6).replaceAll("a", "bb").length;
