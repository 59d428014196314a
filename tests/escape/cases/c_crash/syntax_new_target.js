// ends: error SyntaxError /^new\.target only allowed within functions/
// limits: timeout_ms=20000
return new.target;
