// ends: error SyntaxError /^Octal literals are not allowed in strict mode/
// limits: timeout_ms=20000
return 010;
