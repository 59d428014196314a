// ends: error SyntaxError /^Unexpected identifier 'globalThis'/
// limits: timeout_ms=20000
} globalThis.broke = 1; {
