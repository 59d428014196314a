// ends: value {"0": 1, "1": 2}
// limits: timeout_ms=20000
return (function () { return arguments; })(1, 2);
