// ends: value true | timeout
// limits: timeout_ms=250
return /(?:(?:(?:\b){65535}){65535}){65535}/.test("a");
