// ends: error SyntaxError /^unexpected token in expression: ';'/
// limits: timeout_ms=20000
return (;
