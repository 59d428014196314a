// ends: value {"x": 2}
// limits: timeout_ms=20000
class P { #secret = 1; x = 2; get y() { return 3; } }
return new P();
