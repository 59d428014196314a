// ends: error SyntaxError /^variable name expected/
// limits: timeout_ms=20000
const yield = 1; return yield;
