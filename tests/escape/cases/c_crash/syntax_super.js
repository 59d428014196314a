// ends: error SyntaxError /^'super' is only valid in a method/
// limits: timeout_ms=20000
return super.x;
