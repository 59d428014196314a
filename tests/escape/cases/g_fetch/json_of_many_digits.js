// ends: value "number" | timeout
// powers: fetch
// limits: timeout_ms=5000
return typeof (await fetch("http://a.test/digits")).json;
