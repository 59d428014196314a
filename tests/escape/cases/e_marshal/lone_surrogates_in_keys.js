// ends: value {"\ud800": "\udfff", "a": "\ud83d\ude00"}
// limits: timeout_ms=20000
return { ['\ud800']: '\udfff', a: '\ud83d\ude00' };
