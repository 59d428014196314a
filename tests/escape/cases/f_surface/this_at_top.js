// ends: value ["undefined", "undefined", "undefined"]
// limits: timeout_ms=20000
return [typeof this, (function () { return typeof this; })(), (() => typeof this)()];
